internal import Synchronization
internal import SystemPackage
internal import TondoContacts
internal import TondoFiles
internal import TondoJobs
internal import TondoMirror

/// Reports the changes of a book that was loaded before. Used on one serial queue.
final class BookWatcher: Sendable {
    private let path: FilePath
    private let avatars: AvatarLoader
    private let events: EventQueue
    private let snapshot: Mutex<BookSnapshot>
    private let fetchedPhotos: FilePath?
    private let state = Mutex(State())
    /// For the listing and for the files that are read at the same time.
    private let reserved = ReservedDescriptors(count: Processors.ofService + 2)

    private struct State {
        /// See `BookRescan`.
        var doubtful: Set<FilePath> = []
        /// Consecutive scans that failed.
        var failedScans = 0
        /// Why the whole book cannot be read, since the last scan that failed.
        var loss: ContactsError?
        /// What failed scans were to read: the next one reads it, too.
        var owed = TouchedFiles.none
        /// Nil: unknown. Once it is another one, the book must be watched there.
        var location: BookLocation?
        var unreadable = UnreadableChecks()
        /// Nil if the contacts are to be collected again.
        var photoFiles: NamedPhotoFiles?
        var work = Work()
    }

    /// What changes cost, for tests.
    struct Work: Equatable {
        /// Listings of the whole book.
        var listings = 0
        /// Files that were read.
        var files = 0
    }

    /// The result of following a change.
    enum Outcome: Equatable {
        case applied
        /// The watch is over, or the path leads elsewhere: the book must be watched again, and followed as a change of
        /// everything.
        case exchanged
        /// The book cannot be read: the change is to be followed again after this number of milliseconds.
        case postponed(Int)
    }

    /// `fetchedPhotos`: see `AvatarPipeline.Options`. `location`: where the book was before it was read.
    init(
        path: FilePath, snapshot: BookSnapshot, avatars: AvatarLoader, events: EventQueue,
        fetchedPhotos: FilePath? = nil, location: BookLocation? = nil
    ) {
        self.path = path
        self.avatars = avatars
        self.events = events
        self.fetchedPhotos = fetchedPhotos
        self.snapshot = Mutex(snapshot)
        state.withLock { $0.location = location }
    }

    var work: Work { state.withLock { $0.work } }

    /// The owners of ids that several contacts claim, see `Identities`. From any thread.
    var owners: Identities.Owners { snapshot.withLock { $0.owners } }

    /// The file with this contact as it was read last. From any thread.
    func contents(with id: String) -> BookContents? { snapshot.withLock { $0.contents(with: id) } }

    /// Looks again at a file that this program changed: absolute, without links. `removed`: owners of ids in the trash.
    func apply(
        ownChangeOf file: FilePath, removed: Identities.Owners, _ permit: BlockingPermit
    ) -> Outcome {
        snapshot.withLock { $0.learn(removed) }
        var relative = file
        guard let status = FileStatus(path) else {
            // This program removed the book's only file: its contacts are gone, and not lost.
            return file == path.followed.withoutLinks ? removeAll(permit) : rescan(.all, permit: permit)
        }
        guard status.kind == .folder else { return rescan(.all, permit: permit) }
        guard relative.removePrefix(path.withoutLinks) else { return rescan(.all, permit: permit) }
        // One that is gone is listed under no link. The kernel's event may have been first: then the book does not know it.
        let isThere = FileStatus(file, followingLinks: false) != nil
        return rescan(TouchedFiles([relative.string]), isOwn: isThere, permit: permit)
    }

    private func removeAll(_ permit: BlockingPermit) -> Outcome {
        let difference = snapshot.withLock { $0.update([:], order: [], listing: []) }
        state.withLock { $0.photoFiles = nil }
        let photos = BookPhotos(folder: path.removingLastComponent(), scaled: [], fetched: fetchedPhotos)
        publish(difference, photos: photos, permit: permit)
        return .applied
    }

    /// Scans the book again, and reports the differences.
    func apply(_ change: BookChangeFeed.Change, permit: BlockingPermit) -> Outcome {
        switch change {
        case .files(let files):
            // A book that is one file is reported by the file's own name, also where the book's path is a link to it.
            let isFile = FileStatus(path)?.kind != .folder
            return rescan(TouchedFiles(files), isOwn: isFile, permit: permit)
        case .everything: return rescan(.all, permit: permit)
        case .ended: return .exchanged
        }
    }

    /// What is to be followed although no event said so: the path leads elsewhere or nowhere, or a part of the book may be
    /// readable again. The kernel reports neither a folder above the book that was renamed, nor a file server that is back.
    /// Blocks for a few system calls.
    func check() -> BookChangeFeed.Change? {
        let (location, loss) = state.withLock { ($0.location, $0.loss) }
        if let loss {
            // Retried with back-off, unless it is just where it was again.
            guard case .unreadable = loss, let location, (try? BookLocation(path)) == location else { return nil }
            return .files([])
        }
        do throws(ContactsError) {
            let now = try BookLocation(path)
            if let location, location != now { return .ended }
        } catch { return error.isShortage ? nil : .ended }
        let unreadable = snapshot.withLock { $0.unreadableFiles }
        guard state.withLock({ $0.unreadable.isDue(unreadable) }) else { return nil }
        let folder = FileStatus(path)?.kind == .folder ? path : path.removingLastComponent()
        let isOpen = unreadable.prefix(UnreadableChecks.most).contains { part in
            let obstacle = BookLocation.obstacle(to: part == VDir.whole ? folder : folder.pushing(part))
            return obstacle == nil || obstacle == .noSuchFileOrDirectory
        }
        // The scan reads all parts that were unreadable.
        return isOpen ? .files([]) : nil
    }

    /// `isOwn`: the touched file belongs to the book, perhaps listed under the name of a link.
    private func rescan(_ change: TouchedFiles, isOwn: Bool = false, permit: BlockingPermit) -> Outcome {
        let unread = TouchedFiles(folders: snapshot.withLock { $0.unreadableFiles })
        let touched = state.withLock { $0.owed }.union(change).union(unread)
        do throws(ContactsError) {
            let (former, isLost) = state.withLock { ($0.location, $0.loss != nil) }
            let location = try BookLocation(path)
            if !isLost, former == nil || location == former, try look(at: touched, permit) { return .applied }
            let (known, doubtful) = (snapshot.withLock { $0.files }, state.withLock { $0.doubtful })
            let rescan = try reserved.lend { () throws(ContactsError) in
                try BookRescan(
                    path: path, touched: touched, known: known, doubtful: doubtful, own: isOwn ? change : nil,
                    since: former)
            }
            note(Work(listings: 1, files: rescan.parts.count), doubtful: rescan.doubtful)
            let wasLost = state.withLock { state in
                state.location = location
                return state.loss.take() != nil
            }
            if wasLost { avatars.noteLoss(false) }
            apply(rescan, touched: touched, permit: permit)
            if wasLost { noteReturn() }
            // What was watched may not be what is there now.
            return wasLost || former.map { $0 != location } ?? false ? .exchanged : .applied
        } catch { return postpone(touched, after: error) }
    }

    /// Photos that could not be opened meanwhile are retried now.
    private func noteReturn() {
        events.send(.lost(nil))
        let failed = avatars.transientFailures
        if failed.isEmpty { return }
        for contact in snapshot.withLock({ $0.contacts(withIDs: failed) }) { avatars.add(contact) }
    }

    private func apply(_ rescan: BookRescan, touched: TouchedFiles, permit: BlockingPermit) {
        let (difference, unreadable, broken, scaled) = snapshot.withLock { snapshot in
            let difference = snapshot.update(
                rescan.parts, order: rescan.order, listing: rescan.book.failures, folders: rescan.book.plainFolders,
                keeping: rescan.kept)
            return (difference, snapshot.unreadable, snapshot.broken, snapshot.filesWithScaledPhotos)
        }
        noteReading(of: Set(rescan.parts.keys.lazy.map(\.string)))
        events.send(.unreadable(unreadable))
        state.withLock { $0.photoFiles = nil }
        let photos = BookPhotos(book: rescan.book, scaled: scaled, fetched: fetchedPhotos)
        publish(difference, photos: photos, permit: permit)
        events.send(broken)
        if touched.isEmpty { return }
        let contacts = snapshot.withLock { snapshot in
            snapshot.contacts { photos.mayHaveChanged(of: $0, touched) }
        }
        retake(contacts, after: difference)
    }

    /// Follows the change of a few files at the cost of these. False if only a listing of the book shows what changed.
    private func look(at touched: TouchedFiles, _ permit: BlockingPermit) throws(ContactsError) -> Bool {
        let (names, doubtful) = (touched.single, state.withLock { $0.doubtful })
        guard !touched.isEverything, let neighbours = snapshot.withLock({ $0.neighbours(of: names) }),
            FileStatus(path)?.kind == .folder,
            let glance = try reserved.lend({ () throws(ContactsError) in
                try BookGlance(folder: path, touched: names, among: neighbours, doubtful: doubtful)
            })
        else { return false }
        note(Work(files: glance.files.count), doubtful: glance.doubtful)
        let (difference, read, old, new) = snapshot.withLock { snapshot in
            let old = photoFiles(of: snapshot, in: glance.changes.keys)
            let difference = snapshot.update(few: glance.changes)
            let new = photoFiles(of: snapshot, in: glance.changes.keys)
            return (difference, snapshot.ids(inFew: glance.files), old, new)
        }
        state.withLock { state in
            for file in old { state.photoFiles?.remove(file) }
            for file in new { state.photoFiles?.add(file) }
        }
        if !read.isEmpty { events.send(.reread(read)) }
        let (unreadable, broken, scaled, candidates) = snapshot.withLock { snapshot in
            (
                snapshot.unreadable, snapshot.broken, snapshot.filesWithScaledPhotos,
                snapshot.contacts(namingPhotos: names.compactMap { $0.lastComponent?.string })
            )
        }
        events.send(.unreadable(unreadable))
        let photos = BookPhotos(folder: path, scaled: scaled, fetched: fetchedPhotos)
        publish(difference, photos: photos, permit: permit)
        events.send(broken)
        retake(candidates.filter { photos.mayHaveChanged(of: $0, touched) }, after: difference)
        return true
    }

    private func note(_ work: Work, doubtful: Set<FilePath>) {
        state.withLock { state in
            state.doubtful = doubtful
            state.failedScans = 0
            state.owed = .none
            state.work.listings += work.listings
            state.work.files += work.files
        }
    }

    /// The photo files that the contacts name, relative to the book's folder, for a new watch. On the serial queue.
    func takePhotoFiles() -> Set<String> {
        collectPhotoFiles()
        return state.withLock { $0.photoFiles?.takeAll() } ?? []
    }

    /// How those changed since they were last taken; nil: they did not. On the serial queue.
    func takeChangeOfPhotoFiles() -> NamedPhotoFiles.Change? {
        collectPhotoFiles()
        return state.withLock { $0.photoFiles?.takeChange() }
    }

    private func collectPhotoFiles() {
        guard state.withLock({ $0.photoFiles == nil }) else { return }
        let folder = FileStatus(path)?.kind == .folder ? path : path.removingLastComponent()
        let (contacts, scaled) = snapshot.withLock { ($0.contacts { _ in true }, $0.filesWithScaledPhotos) }
        let photos = BookPhotos(folder: folder, scaled: scaled, fetched: nil)
        let files = NamedPhotoFiles(contacts.lazy.compactMap { photos.location(of: $0)?.string })
        state.withLock { $0.photoFiles = files }
    }

    /// One for each contact in these files that names a photo.
    private func photoFiles(of snapshot: BookSnapshot, in files: some Sequence<FilePath>) -> [String] {
        let contacts = snapshot.contactsNamingPhotos(in: files)
        if contacts.isEmpty { return [] }
        let photos = BookPhotos(folder: path, scaled: snapshot.filesWithScaledPhotos, fetched: nil)
        return contacts.compactMap { photos.location(of: $0)?.string }
    }

    /// Draws the contacts again whose photos were fetched, or are gone. `names`: see `FetchedPhotos`; nil: all.
    func apply(fetched names: Set<String>?) {
        let contacts = snapshot.withLock { snapshot in
            snapshot.contactsWithPhotoURL { names?.contains(FetchedPhotos.name(of: $0)) ?? true }
        }
        for contact in contacts { avatars.add(contact) }
    }

    /// An embedded photo may have changed and changed back between two readings with equal results.
    private func noteReading(of files: Set<String>) {
        let ids = snapshot.withLock { $0.ids(in: files) }
        if !ids.isEmpty { events.send(.reread(ids)) }
    }

    /// The book may be readable soon; until then no contact is removed. The reason is reported once.
    private func postpone(_ touched: TouchedFiles, after error: ContactsError) -> Outcome {
        let (failures, isNew) = state.withLock { state in
            state.owed = touched
            defer {
                state.failedScans += 1
                state.loss = error
            }
            return (state.failedScans, state.loss == nil)
        }
        if isNew {
            avatars.noteLoss(true)
            // Other failures name files in the book's folder, so this one must not be taken for one of them.
            let failure = ContactFailure(file: path.absolute, line: nil, error: error)
            events.send(.contactFailed(FailedContact(failure)))
            events.send(.lost(error))
        }
        // From an eighth of a second to a minute.
        return .postponed(min(125 << min(failures, 9), 60_000))
    }

    private func publish(_ difference: BookSnapshot.Difference, photos: BookPhotos, permit: BlockingPermit) {
        for id in difference.removed {
            events.send(.uncounted(avatars.forget(id)))
            events.sendWhenRoom(.contactRemoved(id: id), permit)
        }
        for failure in difference.failures {
            events.sendWhenRoom(.contactFailed(FailedContact(failure)), permit)
        }
        avatars.use(photos)
        let changed = Set(difference.changed.lazy.map(\.contact.id))
        for packed in difference.moved {
            // The event of a changed one carries its place, too, and comes when the directory is to change.
            if !changed.contains(packed.id) { events.send(.moved(packed)) }
            // Its path leads to another file now, maybe with another photo.
            if packed.namesPhotoFile || hasObstacle(packed.id) { avatars.add(packed.contact) }
        }
        for (packed, hasNewPhoto, index) in difference.changed {
            let contact = packed.contact
            events.sendWhenRoom(.contactChanged(index: index, contact), contact: packed, permit)
            if hasNewPhoto || hasObstacle(packed.id) { avatars.add(contact, hasNewPhoto: hasNewPhoto) }
        }
    }

    /// Loads the photos of contacts again whose files were touched, but for those that `publish` loads.
    private func retake(_ contacts: [Contact], after difference: BookSnapshot.Difference) {
        let changed = Set(difference.changed.lazy.filter(\.hasNewPhoto).map(\.contact.id))
        for contact in contacts where !changed.contains(contact.id) { avatars.add(contact) }
    }

    /// An obstacle to its photo, such as an old path, which may be gone.
    private func hasObstacle(_ id: String) -> Bool { avatars.hasTransientFailure(id) }
}

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
    private let reserved = ReservedDescriptors(Processors.ofService + 2)

    private struct State {
        /// See `BookRescan`.
        var doubtful: Set<FilePath> = []
        /// Consecutive scans that failed for lack of resources.
        var shortages = 0
        /// Nil if contacts changed since they were collected.
        var photoFiles: Set<String>?
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
        /// The book no longer exists.
        case ended
        /// The path leads to another book, which must be watched, and followed as a change of everything.
        case exchanged
        /// The system lacked resources: the change is to be followed again after this number of milliseconds.
        case postponed(Int)
    }

    /// `fetchedPhotos`: see `AvatarPipeline.Options`.
    init(
        _ path: FilePath, snapshot: BookSnapshot, avatars: AvatarLoader, events: EventQueue,
        fetchedPhotos: FilePath? = nil
    ) {
        (self.path, self.avatars, self.events, self.fetchedPhotos) = (path, avatars, events, fetchedPhotos)
        self.snapshot = Mutex(snapshot)
    }

    var work: Work { state.withLock { $0.work } }

    /// The owners of ids that several contacts claim, see `Identities`. From any thread.
    var owners: Identities.Owners { snapshot.withLock { $0.owners } }

    /// Looks again at a file that this program changed: absolute, without links. `removed`: owners of ids in the trash.
    func apply(
        ownChangeOf file: FilePath, removed: Identities.Owners, _ permit: BlockingPermit
    ) -> Outcome {
        snapshot.withLock { $0.learn(removed) }
        var place = file
        guard FileStatus(path)?.kind == .folder else { return rescan(.all, permit) }
        guard place.removePrefix(path.withoutLinks) else { return rescan(.all, permit) }
        return rescan(TouchedFiles([place.string]), isOwn: true, permit)
    }

    /// Scans the book again, and reports the differences.
    func apply(_ change: BookChangeFeed.Change, _ permit: BlockingPermit) -> Outcome {
        switch change {
        case .files(let files):
            // A book that is one file is reported by the file's own name, also where the book's path is a link to it.
            let isFile = FileStatus(path)?.kind != .folder
            return rescan(TouchedFiles(files), isOwn: isFile, permit)
        case .everything: return rescan(.all, permit)
        case .exchanged: return .exchanged
        case .ended:
            publishEnd(permit)
            return .ended
        }
    }

    /// Reports the removal of all contacts.
    private func publishEnd(_ permit: BlockingPermit) {
        state.withLock { $0.photoFiles = nil }
        publish(snapshot.withLock { $0.update([:], order: [], listing: []) }, photos: nil, permit)
    }

    /// `isOwn`: the touched file belongs to the book, perhaps listed under the name of a link.
    private func rescan(_ touched: TouchedFiles, isOwn: Bool = false, _ permit: BlockingPermit) -> Outcome {
        do throws(ContactsError) {
            if try look(at: touched, permit) { return .applied }
            let (known, doubtful) = (snapshot.withLock { $0.files }, state.withLock { $0.doubtful })
            let rescan = try reserved.lend { () throws(ContactsError) in
                try BookRescan(path, touched: touched, known: known, doubtful: doubtful, isOwn: isOwn)
            }
            note(Work(listings: 1, files: rescan.parts.count), doubtful: rescan.doubtful)
            let (difference, unreadable, scaled) = snapshot.withLock {
                (
                    $0.update(
                        rescan.parts, order: rescan.book.files, listing: rescan.book.failures,
                        folders: rescan.book.plainFolders), $0.unreadable, $0.filesWithScaledPhotos
                )
            }
            noteReading(of: Set(rescan.parts.keys.lazy.map(\.string)))
            events.send(.unreadable(unreadable))
            state.withLock { $0.photoFiles = nil }
            let photos = BookPhotos(rescan.book, scaled: scaled, fetched: fetchedPhotos)
            publish(difference, photos: photos, permit)
            if !touched.isEmpty {
                let contacts = snapshot.withLock { snapshot in
                    snapshot.contacts { photos.mayHaveChanged(of: $0, touched) }
                }
                retake(contacts, after: difference)
            }
            return .applied
        } catch {
            if error == .unreadable(.noSuchFileOrDirectory) {
                publishEnd(permit)
                return .applied
            }
            return postpone(error)
        }
    }

    /// Follows the change of a few files at the cost of these. False if only a listing of the book shows what changed.
    private func look(at touched: TouchedFiles, _ permit: BlockingPermit) throws(ContactsError) -> Bool {
        let (names, doubtful) = (touched.single, state.withLock { $0.doubtful })
        guard !touched.isEverything, let neighbours = snapshot.withLock({ $0.neighbours(of: names) }),
            FileStatus(path)?.kind == .folder,
            let glance = try reserved.lend({ () throws(ContactsError) in
                try BookGlance(path, touched: names, among: neighbours, doubtful: doubtful)
            })
        else { return false }
        note(Work(files: glance.files.count), doubtful: glance.doubtful)
        let (difference, read, namesPhotos) = snapshot.withLock { snapshot in
            let named = snapshot.namesPhotos(in: glance.changes.keys)
            let difference = snapshot.update(few: glance.changes)
            return (
                difference, snapshot.ids(inFew: glance.files), named || snapshot.namesPhotos(in: glance.changes.keys)
            )
        }
        if namesPhotos { state.withLock { $0.photoFiles = nil } }
        if !read.isEmpty { events.send(.reread(read)) }
        let (unreadable, scaled, candidates) = snapshot.withLock { snapshot in
            (
                snapshot.unreadable, snapshot.filesWithScaledPhotos,
                snapshot.contacts(namingPhotos: names.compactMap { $0.lastComponent?.string })
            )
        }
        events.send(.unreadable(unreadable))
        let photos = BookPhotos(folder: path, scaled: scaled, fetched: fetchedPhotos)
        publish(difference, photos: photos, permit)
        retake(candidates.filter { photos.mayHaveChanged(of: $0, touched) }, after: difference)
        return true
    }

    private func note(_ work: Work, doubtful: Set<FilePath>) {
        state.withLock { state in
            (state.doubtful, state.shortages) = (doubtful, 0)
            state.work.listings += work.listings
            state.work.files += work.files
        }
    }

    /// The photo files that the contacts name, relative to the book's folder.
    var photoFiles: Set<String> {
        if let known = state.withLock({ $0.photoFiles }) { return known }
        let folder = FileStatus(path)?.kind == .folder ? path : path.removingLastComponent()
        let (contacts, scaled) = snapshot.withLock { ($0.contacts { _ in true }, $0.filesWithScaledPhotos) }
        let photos = BookPhotos(folder: folder, scaled: scaled, fetched: nil)
        let files = Set(contacts.compactMap { photos.place(of: $0)?.string })
        state.withLock { $0.photoFiles = files }
        return files
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

    /// The book may be readable soon; until then no contact is removed. A lack of resources is reported once.
    private func postpone(_ error: ContactsError) -> Outcome {
        let shortages = state.withLock { state in
            defer { state.shortages += error.isShortage ? 1 : 0 }
            return state.shortages
        }
        if shortages == 0 || !error.isShortage {
            events.send(.contactFailed(FailedContact(ContactFailure(file: path, line: nil, error: error))))
        }
        // From an eighth of a second to a minute.
        return error.isShortage ? .postponed(min(125 << min(shortages, 9), 60_000)) : .applied
    }

    private func publish(_ difference: BookSnapshot.Difference, photos: BookPhotos?, _ permit: BlockingPermit) {
        for id in difference.removed {
            events.send(.uncounted(avatars.forget(id)))
            events.sendWhenRoom(.contactRemoved(id: id), permit)
        }
        for failure in difference.failures {
            events.sendWhenRoom(.contactFailed(FailedContact(failure)), permit)
        }
        guard let photos else { return }
        avatars.use(photos)
        // Before the events, so that a list that is requested at one of them has this order.
        if let order = difference.order { events.send(.order(order, changed: difference.changed.map(\.contact))) }
        if difference.isPlaced, !difference.changed.isEmpty {
            events.send(.placed(difference.changed.map { (index: $0.index, contact: $0.contact) }))
        }
        for contact in difference.moved {
            events.send(.moved(contact))
            // Its path leads to another file now, maybe with another photo.
            if case .file = contact.photo { avatars.add(contact) } else { addIfFailed(contact) }
        }
        for (contact, hasNewPhoto, index) in difference.changed {
            events.sendWhenRoom(.contactChanged(index: index, contact), permit)
            if hasNewPhoto { avatars.add(contact) } else { addIfFailed(contact) }
        }
    }

    /// Loads the photos of contacts again whose files were touched, but for those that `publish` loads.
    private func retake(_ contacts: [Contact], after difference: BookSnapshot.Difference) {
        let changed = Set(difference.changed.lazy.filter(\.hasNewPhoto).map(\.contact.id))
        for contact in contacts where !changed.contains(contact.id) { avatars.add(contact) }
    }

    /// The obstacle to its photo may be gone, such as an old path.
    private func addIfFailed(_ contact: Contact) {
        if avatars.hasTransientFailure(contact.id) { avatars.add(contact) }
    }
}

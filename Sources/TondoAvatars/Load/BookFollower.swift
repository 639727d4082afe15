internal import Synchronization
internal import SystemPackage
internal import TondoContacts
internal import TondoJobs

/// Reports the changes of a book that was loaded before. Used on one serial queue.
final class BookFollower: Sendable {
    private let path: FilePath
    private let faces: FaceWork
    private let events: EventLine
    private let snapshot: Mutex<BookSnapshot>
    private let state = Mutex(State())
    /// For the listing and for the files that are read at the same time.
    private let spare = SpareDescriptors(Processors.available + 2)

    private struct State {
        /// See `BookLook`.
        var doubtful: Set<FilePath> = []
        /// Consecutive scans that failed for lack of resources.
        var shortages = 0
    }

    /// The result of following a change.
    enum Outcome: Equatable {
        case followed
        /// The book no longer exists.
        case ended
        /// The path leads to another book, which must be watched, and followed as a change of everything.
        case exchanged
        /// The system lacked resources: the change is to be followed again after this number of milliseconds.
        case postponed(Int)
    }

    init(_ path: FilePath, snapshot: BookSnapshot, faces: FaceWork, events: EventLine) {
        (self.path, self.faces, self.events) = (path, faces, events)
        self.snapshot = Mutex(snapshot)
    }

    /// The owners of ids that several contacts claim, see `Identities`. From any thread.
    var owners: Identities.Owners { snapshot.withLock { $0.owners } }

    /// Looks again at a file that this program changed: absolute, without links. `removed`: owners of ids in the trash.
    func follow(
        ownChangeOf file: FilePath, removed: Identities.Owners, _ permit: BlockingPermit
    ) -> Outcome {
        snapshot.withLock { $0.learn(removed) }
        var place = file
        guard FileStatus(path)?.kind == .folder else { return look(again: .all, permit) }
        guard place.removePrefix(path.withoutLinks) else { return look(again: .all, permit) }
        return look(again: TouchedFiles([place.string]), isOwn: true, permit)
    }

    /// Scans the book again, and reports the differences.
    func follow(_ change: BookWatch.Change, _ permit: BlockingPermit) -> Outcome {
        switch change {
        case .files(let files):
            // A book that is one file is reported by the file's own name, also where the book's path is a link to it.
            let isFile = FileStatus(path)?.kind != .folder
            return look(again: TouchedFiles(files), isOwn: isFile, permit)
        case .everything: return look(again: .all, permit)
        case .exchanged: return .exchanged
        case .ended:
            tellEnd(permit)
            return .ended
        }
    }

    /// Reports the removal of all contacts.
    private func tellEnd(_ permit: BlockingPermit) {
        tell(snapshot.withLock { $0.update([:], order: [], listing: []) }, touched: .none, photos: nil, permit)
    }

    /// `isOwn`: the touched file belongs to the book, perhaps listed under the name of a link.
    private func look(again touched: TouchedFiles, isOwn: Bool = false, _ permit: BlockingPermit) -> Outcome {
        do throws(ContactsError) {
            let (known, doubtful) = (snapshot.withLock { $0.files }, state.withLock { $0.doubtful })
            let look = try spare.lend { () throws(ContactsError) in
                try BookLook(path, touched: touched, known: known, doubtful: doubtful, isOwn: isOwn)
            }
            state.withLock { $0 = State(doubtful: look.doubtful) }
            let (difference, unreadable, scaled) = snapshot.withLock {
                (
                    $0.update(look.parts, order: look.book.files, listing: look.book.failures), $0.unreadable,
                    $0.filesWithScaledPictures
                )
            }
            noteReading(of: Set(look.parts.keys.lazy.map(\.string)))
            events.send(.unreadable(unreadable))
            tell(difference, touched: touched, photos: BookPhotos(look.book, scaled: scaled), permit)
            return .followed
        } catch {
            if error == .unreadable(.noSuchFileOrDirectory) {
                tellEnd(permit)
                return .followed
            }
            return postpone(error)
        }
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
        return error.isShortage ? .postponed(min(125 << min(shortages, 9), 60_000)) : .followed
    }

    private func tell(
        _ difference: BookSnapshot.Difference, touched: TouchedFiles, photos: BookPhotos?, _ permit: BlockingPermit
    ) {
        for id in difference.removed {
            events.send(.uncounted(faces.forget(id)))
            events.sendWhenRoom(.contactRemoved(id: id), permit)
        }
        for failure in difference.failures {
            events.sendWhenRoom(.contactFailed(FailedContact(failure)), permit)
        }
        guard let photos else { return }
        faces.use(photos)
        for contact in difference.moved {
            events.send(.moved(contact))
            // Its path leads to another file now, maybe with another photo.
            if case .file = contact.photo { faces.add(contact) } else { addIfOwed(contact) }
        }
        for (contact, hasNewPhoto, index) in difference.changed {
            events.sendWhenRoom(.contactChanged(index: index, contact), permit)
            if hasNewPhoto { faces.add(contact) } else { addIfOwed(contact) }
        }
        if let order = difference.order { events.send(.order(order)) }
        let changed = Set(difference.changed.lazy.filter(\.hasNewPhoto).map(\.contact.id))
        if !touched.isEmpty {
            let contacts = snapshot.withLock { snapshot in
                snapshot.contacts { photos.mayHaveChanged(of: $0, touched) }
            }
            for contact in contacts where !changed.contains(contact.id) { faces.add(contact) }
        }
    }

    /// The obstacle to its photo may be gone, such as an old path.
    private func addIfOwed(_ contact: Contact) {
        if faces.isOwed(contact.id) { faces.add(contact) }
    }
}

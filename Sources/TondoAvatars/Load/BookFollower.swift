internal import Synchronization
internal import SystemPackage
internal import TondoContacts
internal import TondoJobs

/// Tells what became different in a book that was loaded before. Used on one serial queue.
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
        /// Looks in a row that a shortage prevented.
        var shortages = 0
    }

    /// What became of a change.
    enum Outcome: Equatable {
        case followed
        /// There is nothing left to follow.
        case ended
        /// The path leads to another book, which is to be watched, and to be followed as a change of everything.
        case exchanged
        /// The system was short of something: the change is to be followed once more, in so many milliseconds.
        case postponed(Int)
    }

    init(_ path: FilePath, snapshot: BookSnapshot, faces: FaceWork, events: EventLine) {
        (self.path, self.faces, self.events) = (path, faces, events)
        self.snapshot = Mutex(snapshot)
    }

    /// Whose the ids are that several contacts gave themselves, see `Identities`. From any thread.
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

    /// Looks again, and reports what is different.
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

    /// Nobody is left.
    private func tellEnd(_ permit: BlockingPermit) {
        tell(snapshot.withLock { $0.update([:], order: [], listing: []) }, touched: .none, photos: nil, permit)
    }

    /// `isOwn`: the touched file is one of the book, which may be listed by the name of a link.
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

    /// A photo inside a card may have been another one for a moment, between two readings that found the same.
    private func noteReading(of files: Set<String>) {
        let ids = snapshot.withLock { $0.ids(in: files) }
        if !ids.isEmpty { events.send(.reread(ids)) }
    }

    /// It may be readable soon; until then nobody is gone. A shortage is told once.
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
            // Its path means another file now, maybe with another picture.
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

    /// What was in the way of its photo, as when it was looked for at its old place, may be gone.
    private func addIfOwed(_ contact: Contact) {
        if faces.isOwed(contact.id) { faces.add(contact) }
    }
}

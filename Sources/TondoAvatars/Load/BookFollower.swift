internal import Synchronization
internal import SystemPackage
internal import TondoContacts

/// Tells what became different in a book that was loaded before. Used on one serial queue.
final class BookFollower: Sendable {
    private let path: FilePath
    private let faces: FaceWork
    private let events: EventLine
    private let snapshot: Mutex<BookSnapshot>

    init(_ path: FilePath, snapshot: BookSnapshot, faces: FaceWork, events: EventLine) {
        (self.path, self.faces, self.events) = (path, faces, events)
        self.snapshot = Mutex(snapshot)
    }

    /// Looks again, tells what is different, and waits for the new faces. False when there is nothing left to follow.
    func follow(_ change: BookWatch.Change) -> Bool {
        switch change {
        case .files(let files): look(again: files)
        case .everything: look(again: nil)
        case .ended:
            tellEnd()
            return false
        }
        return true
    }

    /// Nobody is left.
    private func tellEnd() {
        tell(snapshot.withLock { $0.update([:], order: [], listing: []) }, touched: [], photos: nil)
    }

    /// `files`: nil for all of them.
    private func look(again files: Set<String>?) {
        do throws(ContactsError) {
            let book = try AddressBook(path)
            // Others that are new are told when they are written.
            let stale = book.files.filter { files?.contains($0.string) ?? true }
            let survey = book.survey(of: stale)
            var parts = BookSnapshot.Parts(survey)
            book.read(survey) {
                parts.add($1, of: $0)
            } body: { _ in
                true
            }
            let (difference, unreadable) = snapshot.withLock {
                ($0.update(parts.parts, order: book.files, listing: book.failures), $0.unreadable)
            }
            noteReading(of: files)
            events.send(.unreadable(unreadable))
            tell(difference, touched: files ?? [], photos: BookPhotos(book, survey))
        } catch {
            if error == .unreadable(.noSuchFileOrDirectory) { return tellEnd() }
            // It may be readable soon; until then nobody is gone.
            events.send(.contactFailed(FailedContact(ContactFailure(file: path, line: nil, error: error))))
        }
    }

    /// A photo inside a card may have been another one for a moment, between two readings that found the same.
    private func noteReading(of files: Set<String>?) {
        guard let files else { return events.send(.reread(nil)) }
        let ids = snapshot.withLock { $0.ids(in: files) }
        if !ids.isEmpty { events.send(.reread(ids)) }
    }

    private func tell(_ difference: BookSnapshot.Difference, touched: Set<String>, photos: BookPhotos?) {
        for id in difference.removed {
            faces.forget(id)
            events.sendWhenRoom(.contactRemoved(id: id))
        }
        for failure in difference.failures { events.sendWhenRoom(.contactFailed(FailedContact(failure))) }
        guard let photos else { return }
        faces.use(photos)
        for contact in difference.moved {
            events.send(.moved(contact))
            // Its path means another file now, maybe with another picture.
            if case .file = contact.photo { faces.add(contact) }
        }
        for (contact, hasNewPhoto) in difference.changed {
            events.sendWhenRoom(.contactChanged(contact))
            if hasNewPhoto { faces.add(contact) }
        }
        let changed = Set(difference.changed.lazy.filter(\.hasNewPhoto).map(\.contact.id))
        if !touched.isEmpty {
            let contacts = snapshot.withLock { snapshot in
                snapshot.contacts { Self.isTouched($0, touched, photos) }
            }
            for contact in contacts where !changed.contains(contact.id) { faces.add(contact) }
        }
        faces.wait()
    }

    /// The file its photo is in was touched.
    private static func isTouched(_ contact: Contact, _ touched: Set<String>, _ photos: BookPhotos) -> Bool {
        guard case .file(let path, _) = contact.photo else { return false }
        return photos.place(ofFile: path, namedBy: contact.place?.file).map { touched.contains($0.string) } ?? false
    }
}

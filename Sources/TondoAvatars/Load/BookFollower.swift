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
    func follow(_ change: BookWatch.Change, _ permit: BlockingPermit) -> Bool {
        switch change {
        case .files(let files): look(again: files, permit)
        case .everything: look(again: nil, permit)
        case .ended:
            tellEnd(permit)
            return false
        }
        return true
    }

    /// Nobody is left.
    private func tellEnd(_ permit: BlockingPermit) {
        tell(snapshot.withLock { $0.update([:], order: [], listing: []) }, touched: [], photos: nil, permit)
    }

    /// `files`: nil for all of them.
    private func look(again files: Set<String>?, _ permit: BlockingPermit) {
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
            let difference = snapshot.withLock {
                $0.update(parts.parts, order: book.files, listing: book.failures)
            }
            tell(difference, touched: files, photos: BookPhotos(book, survey), permit)
        } catch {
            if error == .unreadable(.noSuchFileOrDirectory) { return tellEnd(permit) }
            // It may be readable soon; until then nobody is gone.
            events.send(.contactFailed(FailedContact(ContactFailure(file: path, line: nil, error: error))))
        }
    }

    /// `touched`: files that changed; nil: any may have, so that every photo that is a file is looked at again.
    private func tell(
        _ difference: BookSnapshot.Difference, touched: Set<String>?, photos: BookPhotos?, _ permit: BlockingPermit
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
        for (contact, hasNewPhoto) in difference.changed {
            events.sendWhenRoom(.contactChanged(contact), permit)
            if hasNewPhoto { faces.add(contact) } else { addIfOwed(contact) }
        }
        let changed = Set(difference.changed.lazy.filter(\.hasNewPhoto).map(\.contact.id))
        if touched?.isEmpty != true {
            let contacts = snapshot.withLock { snapshot in
                snapshot.contacts { Self.isTouched($0, touched, photos) }
            }
            for contact in contacts where !changed.contains(contact.id) { faces.add(contact) }
        }
        faces.wait(permit)
    }

    /// What was in the way of its photo, as when it was looked for at its old place, may be gone.
    private func addIfOwed(_ contact: Contact) {
        if faces.isOwed(contact.id) { faces.add(contact) }
    }

    /// The file its photo is in was touched.
    private static func isTouched(_ contact: Contact, _ touched: Set<String>?, _ photos: BookPhotos) -> Bool {
        guard case .file(let path, _) = contact.photo else { return false }
        guard let touched else { return true }
        return photos.place(ofFile: path, namedBy: contact.place?.file).map { touched.contains($0.string) } ?? false
    }
}

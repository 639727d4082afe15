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

    /// Whose the ids are that several people gave themselves, see `Identities`. From any thread.
    var owners: Identities.Owners { snapshot.withLock { $0.owners } }

    /// Looks again at a file that this program changed: absolute, without links.
    func follow(ownChangeOf file: FilePath) {
        var place = file
        guard FileStatus(path)?.kind == .folder else { return look(again: [path.lastComponent?.string ?? ""]) }
        if place.removePrefix(path.withoutLinks) { return look(again: [place.string], isOwn: true) }
        look(again: nil)
    }

    /// Looks again, and tells what is different. False when there is nothing left to follow.
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

    /// `files`: nil for all of them. `isOwn`: they are book files, which may be listed by the name of a link.
    private func look(again files: Set<String>?, isOwn: Bool = false) {
        do throws(ContactsError) {
            let book = try AddressBook(path)
            // Others that are new are told when they are written.
            var stale = book.files.filter { files?.contains($0.string) ?? true }
            if isOwn, stale.isEmpty { stale = book.files }
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
            tell(difference, touched: files ?? [], photos: BookPhotos(book, survey))
        } catch {
            if error == .unreadable(.noSuchFileOrDirectory) { return tellEnd() }
            // It may be readable soon; until then nobody is gone.
            events.send(.contactFailed(FailedContact(ContactFailure(file: path, line: nil, error: error))))
        }
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
        if let order = difference.order { events.send(.order(order)) }
        let changed = Set(difference.changed.lazy.filter(\.hasNewPhoto).map(\.contact.id))
        if !touched.isEmpty {
            let contacts = snapshot.withLock { snapshot in
                snapshot.contacts { Self.isTouched($0, touched, photos) }
            }
            for contact in contacts where !changed.contains(contact.id) { faces.add(contact) }
        }
    }

    /// The file its photo is in was touched.
    private static func isTouched(_ contact: Contact, _ touched: Set<String>, _ photos: BookPhotos) -> Bool {
        guard case .file(let path, _) = contact.photo else { return false }
        return photos.place(ofFile: path, namedBy: contact.place?.file).map { touched.contains($0.string) } ?? false
    }
}

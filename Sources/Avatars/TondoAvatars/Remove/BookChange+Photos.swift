internal import SystemPackage
package import TondoContacts
package import TondoImage

extension BookChange {
    /// Stores another photo in a contact's card, or removes it, see `CardPhoto`. The former card is kept in the trash. `crop`: as
    /// the book has it. `photo`: nil removes the contact's. `now`: seconds since 1970. `isTrial`: changes nothing.
    package func setPhoto(
        _ photo: StorablePhoto?, crop: PhotoCrop? = nil, of contact: Contact, now: Int, isTrial: Bool = false
    ) -> Outcome? {
        let replacement = photo.map { CardPhoto.Replacement(bytes: $0.bytes, crop: crop) }
        return replace([contact], now: now, isTrial: isTrial) { _, card throws(ContactsError) in
            try CardPhoto.replaced(in: card, by: replacement, now: now)
        }.first
    }

    /// The photos of many contacts, by their ids. `batch`: see `TrashRecord`.
    struct PhotoBatch {
        var photos: [String: (photo: StorablePhoto, crop: PhotoCrop?)]
        var batch: String
        var now: Int
        var isTrial: Bool

        /// A file is changed so often at most to leave out the contacts that another program changed.
        fileprivate static let attempts = 64
    }

    /// Stores the photos as `setPhoto` does. A card that takes no photo, or that another program changed, is left as it is; the
    /// others of its file change together, or not at all if many were changed.
    func setPhotos(_ photos: PhotoBatch, of contacts: [Contact]) -> [Outcome] {
        var outcomes = setAll(photos, of: contacts)
        let places = Dictionary(grouping: outcomes.indices) { contacts[$0].place?.file }
        for indices in places.values where indices.count > 1 && outcomes[indices[0]].isMoved {
            var attempts = PhotoBatch.attempts
            let others = setParts(photos, of: indices.map { contacts[$0] }, attempts: &attempts)
            for (index, outcome) in zip(indices, others) { outcomes[index] = outcome }
        }
        return outcomes
    }

    /// Contacts of one file, one of which is not there as it was: in halves, so that only that one is left out.
    private func setParts(_ photos: PhotoBatch, of contacts: [Contact], attempts: inout Int) -> [Outcome] {
        let half = contacts.count / 2
        return [contacts[..<half], contacts[half...]].flatMap { part in
            let outcomes = setAll(photos, of: Array(part))
            attempts -= 1
            guard part.count > 1, attempts > 0, outcomes.first?.isMoved == true else { return outcomes }
            return setParts(photos, of: Array(part), attempts: &attempts)
        }
    }

    private func setAll(_ photos: PhotoBatch, of contacts: [Contact]) -> [Outcome] {
        let refused = RefusedCards()
        let now = photos.now
        let outcomes = replace(contacts, batch: photos.batch, now: now, isTrial: photos.isTrial) {
            contact, card throws(ContactsError) in
            guard let (photo, crop) = photos.photos[contact.id] else { return card }
            refused.errors[contact.id] = nil
            let replacement = CardPhoto.Replacement(bytes: photo.bytes, crop: crop)
            do throws(ContactsError) { return try CardPhoto.replaced(in: card, by: replacement, now: now) } catch {
                refused.errors[contact.id] = error
                return card
            }
        }
        return outcomes.map { outcome in
            guard outcome.problem == nil, let error = refused.errors[outcome.contact.id] else { return outcome }
            return outcome.failed(.book(outcome.file ?? "", error))
        }
    }
}

extension PhotoFile {
    /// Reads standard input to its end. Throws as `open`.
    package static func standardInput(limit: Int) throws -> PhotoFile {
        try OpenPhoto.standardInput().read(limit: limit)
    }
}

/// Why cards of a file took no photo, by the ids of contacts.
private final class RefusedCards {
    var errors: [String: ContactsError] = [:]
}

extension BookChange.Outcome {
    /// A contact of the file is not there, or not as it was.
    fileprivate var isMoved: Bool {
        guard case .book(_, .contactMoved)? = problem else { return false }
        return true
    }

    fileprivate func failed(_ problem: ChangeProblem) -> Self {
        Self(contact: contact, file: file, isDeleted: false, isChanged: false, item: nil, problem: problem)
    }
}

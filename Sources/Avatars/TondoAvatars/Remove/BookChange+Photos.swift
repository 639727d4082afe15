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

    /// Stores the photos of many contacts, by their ids, as `setPhoto` does. A card that takes no photo is left as it is; the
    /// others of its file change together or not at all. `batch`: see `TrashRecord`.
    func setPhotos(
        _ photos: [String: (photo: StorablePhoto, crop: PhotoCrop?)], of contacts: [Contact], batch: String, now: Int,
        isTrial: Bool
    ) -> [Outcome] {
        let refused = RefusedCards()
        let outcomes = replace(contacts, batch: batch, now: now, isTrial: isTrial) {
            contact, card throws(ContactsError) in
            guard let (photo, crop) = photos[contact.id] else { return card }
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
    fileprivate func failed(_ problem: ChangeProblem) -> Self {
        Self(contact: contact, file: file, isDeleted: false, isChanged: false, item: nil, problem: problem)
    }
}

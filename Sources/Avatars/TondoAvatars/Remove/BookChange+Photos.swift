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
}

extension PhotoFile {
    /// Reads standard input to its end. Throws as `open`.
    package static func standardInput(limit: Int) throws -> PhotoFile {
        try OpenPhoto.standardInput().read(limit: limit)
    }
}

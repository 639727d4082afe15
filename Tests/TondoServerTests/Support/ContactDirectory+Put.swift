import TondoContacts

@testable import TondoServer

extension ContactDirectory {
    /// As a loader's event does it.
    func put(_ contact: Contact, in book: Int) { put(PackedContact(contact), in: book) }
}

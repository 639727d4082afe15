import TondoContacts

@testable import TondoServer

extension ContactDirectory {
    /// Appends a contact, or replaces the one with the same id where it is.
    func put(_ contact: Contact, in book: Int) {
        let packed = PackedContact(contact)
        if !replace(packed, in: book) { put(packed, at: count(of: book), in: book) }
    }
}

extension ContactRows {
    init(_ contacts: [PackedContact]) {
        self.init()
        for (index, contact) in contacts.enumerated() { put(contact, at: index) }
    }
}

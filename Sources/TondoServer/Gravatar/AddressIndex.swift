package import TondoContacts

/// Whose mail address a hash stands for. Made anew from all contacts when they change.
package struct AddressIndex: Sendable {
    private let contacts: [AddressHash: String]

    /// An address that several contacts have is the first one's.
    package init(_ contacts: some Sequence<Contact>) {
        var found: [AddressHash: String] = [:]
        for contact in contacts {
            for email in contact.emails where email.value.contains("@") {
                for hash in [AddressHash.md5(of: email.value), .sha256(of: email.value)] where found[hash] == nil {
                    found[hash] = contact.id
                }
            }
        }
        self.contacts = found
    }

    package subscript(hash: AddressHash) -> Contact.ID? { contacts[hash] }
}

package import TondoContacts

/// Which contact with a photo a mail address's hash stands for. Made again from all contacts when they change.
///
/// Contacts whose photo could never be shown are left out, so that looking for their addresses is the same work as looking
/// for unknown ones.
package struct AddressIndex: Sendable {
    private let contacts: [AddressHash: String]

    /// An address that several contacts have is the first one's, even when that one has no photo.
    package init(_ contacts: some Sequence<Contact>) {
        var found: [AddressHash: String?] = [:]
        for contact in contacts {
            let id = Self.mayShow(contact.photo) ? contact.id : nil
            for email in contact.emails where email.value.contains("@") {
                for hash in [AddressHash.md5(of: email.value), .sha256(of: email.value)] where found[hash] == nil {
                    found[hash] = .some(id)
                }
            }
        }
        self.contacts = found.compactMapValues { $0 }
    }

    /// Nothing is ever fetched from the net.
    private static func mayShow(_ photo: ContactPhoto?) -> Bool {
        switch photo {
        case nil, .remote: false
        case .inline, .file: true
        }
    }

    package subscript(hash: AddressHash) -> Contact.ID? { contacts[hash] }
}

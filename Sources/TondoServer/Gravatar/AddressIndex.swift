package import TondoContacts

/// Maps hashes of mail addresses to contacts with a photo. Rebuilt from all contacts when they change.
///
/// Contacts whose photo can never be shown are left out, so that a request for their address does the same work as one
/// for an unknown address. Otherwise the response time would reveal them.
package struct AddressIndex: Sendable {
    private let contacts: [AddressHash: String]

    /// If several contacts share an address, it belongs to the first one, even if that one has no photo.
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

    /// Remote photos are never fetched.
    private static func mayShow(_ photo: ContactPhoto?) -> Bool {
        switch photo {
        case nil, .remote: false
        case .inline, .file: true
        }
    }

    package subscript(hash: AddressHash) -> Contact.ID? { contacts[hash] }
}

package import TondoContacts

/// Which contact with a photo the hash of a mail address stands for. Follows each change of a contact: to hash the addresses
/// of ten thousand contacts takes a tenth of a second, too much after each change.
///
/// Contacts whose photo could never be shown own their addresses without having an avatar for them, so that looking for such
/// an address is the same work as looking for an unknown one.
package struct AddressIndex: Sendable {
    private struct Owner: Sendable {
        let id: String
        let hasPhoto: Bool
    }

    /// Nearly every address has one owner, which needs no dictionary. Others by their ids, so that removing thousands of
    /// contacts with one address is linear.
    private struct Owners: Sendable {
        var first: Owner
        var others: [Contact.ID: Owner] = [:]
    }

    private var owners: [AddressHash: Owners] = [:]
    private let showsRemote: Bool

    /// `showsRemote`: photos of URLs may have been fetched.
    package init(_ contacts: some Sequence<Contact> = [], showsRemote: Bool = false) {
        self.showsRemote = showsRemote
        for contact in contacts { add(contact) }
    }

    package mutating func add(_ contact: Contact) {
        let owner = Owner(id: contact.id, hasPhoto: mayShow(contact.photo))
        for hash in Self.hashes(of: contact) {
            if owners[hash]?.others.updateValue(owner, forKey: owner.id) == nil, owners[hash] == nil {
                owners[hash] = Owners(first: owner)
            }
        }
    }

    /// `contact`: as it was added.
    package mutating func remove(_ contact: Contact) {
        for hash in Self.hashes(of: contact) {
            guard let first = owners[hash]?.first else { continue }
            if first.id != contact.id {
                owners[hash]?.others[contact.id] = nil
            } else if let next = owners[hash]?.others.popFirst() {
                owners[hash]?.first = next.value
            } else {
                owners[hash] = nil
            }
        }
    }

    /// The contact whose address it is. Of several with one address it is the first in the books' order, even when that one
    /// has no photo. `isBefore`: that order, of contacts by their ids.
    package func owner(of hash: AddressHash, isBefore: (Contact.ID, Contact.ID) -> Bool) -> Contact.ID? {
        guard let found = owners[hash] else { return nil }
        let first = found.others.values.reduce(found.first) { isBefore($1.id, $0.id) ? $1 : $0 }
        return first.hasPhoto ? first.id : nil
    }

    /// Several contacts have the address, so that `owner` has to compare all of them.
    package func isShared(_ hash: AddressHash) -> Bool { owners[hash]?.others.isEmpty == false }

    private static func hashes(of contact: Contact) -> Set<AddressHash> {
        var hashes: Set<AddressHash> = []
        for email in contact.emails where email.value.contains("@") {
            hashes.insert(.md5(of: email.value))
            hashes.insert(.sha256(of: email.value))
        }
        return hashes
    }

    private func mayShow(_ photo: ContactPhoto?) -> Bool {
        switch photo {
        case nil: false
        case .remote: showsRemote
        case .inline, .file: true
        }
    }
}

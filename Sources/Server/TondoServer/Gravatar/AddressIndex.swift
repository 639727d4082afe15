package import TondoContacts

/// Which contact with a usable photo the hash of a mail address, or of a website that is an OpenID, stands for. Follows each change of a contact: to hash the addresses
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

    /// The contact owns its addresses from now on, alone or with others. Remove its earlier version before.
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

    /// The contact whose photo stands for an address, and a contact before it.
    package struct Found: Equatable, Sendable {
        /// The first one in the books' order with a usable photo; nil if there is none.
        package var owner: Contact.ID?
        /// The first one whose photo failed, if it stands before the owner. Its photo may become usable without an event.
        package var failed: Contact.ID?
    }

    /// Whose photo stands for an address. Books often hold one person several times, and not each time with the photo: a
    /// contact without a photo, or with one that gave no avatar, does not hide the photo of another.
    ///
    /// `hasFailed`: whether a photo gave no avatar at the last try. `isBefore`: the books' order, of contacts by their ids.
    package func find(
        _ hash: AddressHash, hasFailed: (Contact.ID) -> Bool = { _ in false },
        isBefore: (Contact.ID, Contact.ID) -> Bool
    ) -> Found {
        guard let all = owners[hash] else { return Found() }
        var found = Found()
        for candidate in [all.first] + all.others.values where candidate.hasPhoto {
            let list = hasFailed(candidate.id) ? \Found.failed : \Found.owner
            if found[keyPath: list].map({ isBefore(candidate.id, $0) }) ?? true { found[keyPath: list] = candidate.id }
        }
        if let owner = found.owner, let failed = found.failed, isBefore(owner, failed) { found.failed = nil }
        return found
    }

    /// Several contacts have the address, so that `find` has to compare all of them.
    package func hasSeveralOwners(_ hash: AddressHash) -> Bool { owners[hash]?.others.isEmpty == false }

    private static func hashes(of contact: Contact) -> Set<AddressHash> {
        var hashes: Set<AddressHash> = []
        for address in contact.emails.lazy.flatMap({ MailAddress($0.value).forms }) {
            hashes.formUnion(AddressHash.both(of: address))
        }
        for website in contact.websites { hashes.formUnion(OpenIDAddress(website.value)?.hashes ?? []) }
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

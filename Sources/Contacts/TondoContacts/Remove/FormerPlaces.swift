/// Finds contacts in a file that other programs may have changed since they were read: at their old places, else by
/// their content. Equal contacts are distinguished by their order, as long as their number is the same: if one of them
/// is gone, it may have been the one that is looked for.
struct FormerPlaces {
    /// The contacts by their indices in the file as it is now.
    private(set) var found: [Int: Contact] = [:]

    /// `known`: all contacts of the file when `contacts` were read; nil: the file is that one. Throws `contactMoved` if
    /// one of these is missing, or is not the same any more.
    init(of contacts: [Contact], known: [Contact]?, now: [Contact]) throws(ContactsError) {
        let isAsLong = known.map { $0.count(where: \.isPerson) == now.count(where: \.isPerson) } ?? true
        if !find(contacts, among: now) || !isAsLong { try findByContent(contacts, known: known ?? contacts, now: now) }
        // Another card may claim the id by now: then the order of the whole book decides which of them has it.
        if let known, hasNewClaim(known: known, now: now) { throw .contactMoved }
    }

    private mutating func findByContent(_ contacts: [Contact], known: [Contact], now: [Contact]) throws(ContactsError) {
        found = [:]
        let (old, new) = (EqualContacts(known), EqualContacts(now))
        for contact in contacts {
            guard let place = contact.place?.bytes, !place.isEmpty else { throw .contactMoved }
            let (former, present) = (old.indices(of: contact), new.indices(of: contact))
            guard former.count == present.count,
                let number = former.firstIndex(where: { known[$0].place?.bytes == place }),
                contact.isCard(now[present[number]]),
                found.updateValue(contact, forKey: present[number]) == nil
            else { throw .contactMoved }
        }
    }

    /// Whether more cards have the id of a found one than when the file was read. One pass through each list: thousands
    /// of ids may have two cards each.
    private func hasNewClaim(known: [Contact], now: [Contact]) -> Bool {
        let wanted = Set(found.keys.map { now[$0].id })
        func claims(_ ids: some Sequence<String>) -> [String: Int] {
            Dictionary(ids.lazy.filter(wanted.contains).map { ($0, 1) }, uniquingKeysWith: +)
        }
        let present = claims(now.lazy.map(\.id)).filter { $0.value > 1 }
        if present.isEmpty { return false }
        let former = claims(known.lazy.map(\.idOfCard))
        return present.contains { $0.value > former[$0.key, default: 0] }
    }

    /// Where they were. False if one is not there.
    private mutating func find(_ contacts: [Contact], among now: [Contact]) -> Bool {
        let indices = Dictionary(
            now.indices.map { (now[$0].place?.bytes, $0) }, uniquingKeysWith: { first, _ in first })
        for contact in contacts {
            guard let bytes = contact.place?.bytes, !bytes.isEmpty, let index = indices[bytes], found[index] == nil,
                contact.isCard(now[index])
            else { return false }
            found[index] = contact
        }
        return true
    }
}

/// Contacts of a file by their contents.
private struct EqualContacts {
    private let contacts: [Contact]
    /// The indices of contacts with one fingerprint, in a list for each content.
    private var lists: [String: [[Int]]] = [:]

    init(_ contacts: [Contact]) {
        self.contacts = contacts
        for (index, contact) in contacts.enumerated() {
            let card = contact.fingerprint
            // Taken out, so that the list is not copied.
            var alike = lists.removeValue(forKey: card) ?? []
            // Few contacts differ only in what the fingerprint leaves out, such as the photo.
            if let list = alike.firstIndex(where: { contacts[$0[0]].hasSameContent(as: contact) }) {
                alike[list].append(index)
            } else {
                alike.append([index])
            }
            lists[card] = alike
        }
    }

    func indices(of contact: Contact) -> [Int] {
        lists[contact.fingerprint]?.first { contacts[$0[0]].hasSameContent(as: contact) } ?? []
    }
}

extension Contact {
    fileprivate var isPerson: Bool { kind != .group }

    /// Whether a card, with the id that its file gives it, may be this contact of a book, see `Identities`. Two people may
    /// have equal contents and different ids.
    fileprivate func isCard(_ card: Contact) -> Bool {
        hasSameContent(as: card) && (id == card.id || id.hasPrefix("\(card.id)-\(card.fingerprint)"))
    }

    /// The id in its file, without what `Identities` appended.
    fileprivate var idOfCard: String {
        id.firstRange(of: "-\(fingerprint)").map { String(id[..<$0.lowerBound]) } ?? id
    }
}

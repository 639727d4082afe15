/// The contact that a word means: by its id, its whole name, a whole e-mail address or phone number. A partial match decides
/// nothing.
package enum ContactLookup: Equatable, Sendable {
    case one(Contact)
    /// All of them match. In the book's order.
    case several([Contact])
    /// None matches; `ContactSearch` finds these. In the book's order.
    case none(candidates: [Contact])

    /// For one word; for several, see `ContactNames`.
    package init(_ word: String, in contacts: [Contact]) {
        var names = ContactNames(contacts)
        self = names.lookup(word)
    }

    /// Which of several contacts with one address or number is shown: the first with a photo. One face of a family is better
    /// than none.
    package static func shown(of several: [Contact]) -> Contact? { several.first { $0.photo != nil } ?? several.first }
}

/// What another program knows of a contact.
package enum ContactKey: String, CaseIterable, Sendable {
    case mail, phone, name, id

    /// The contact's values of this kind, as its card has them.
    package func values(of contact: Contact) -> [String] {
        switch self {
        case .mail: contact.emails.map(\.value)
        case .phone: contact.phones.map(\.value)
        case .name: [contact.displayName]
        case .id: [contact.id]
        }
    }
}

/// Resolves words to contacts. A word costs the same in a book of any size, except for one that means no contact.
package struct ContactNames: Sendable {
    private let contacts: [Contact]
    /// Indices of `contacts`; of several contacts with one id, the first.
    private let ids: [String: Int]
    /// By the hash of the compared display name and by folded addresses; made when the first word is no id.
    private lazy var names = nameTable()
    private lazy var addresses = addressTable()
    /// By the hashes of their numbers as they are written, and of what international ones may be within a country.
    private lazy var numbers = numberTable { [$0.hash] }
    private lazy var nationalNumbers = numberTable(\.nationalForms)

    /// Keeps the contacts; the tables of names and addresses are made by the first word that is no id.
    package init(_ contacts: [Contact]) {
        self.contacts = contacts
        ids = Dictionary(contacts.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The first of these that matches decides: the id, the whole display name, a whole e-mail address, a phone number;
    /// names and addresses ignoring letter case and accents, and names blanks.
    package mutating func lookup(_ word: String) -> ContactLookup {
        if let index = ids[word] { return .one(contacts[index]) }
        let address = ContactSearch.folded(word.trimmed)
        guard !address.isEmpty else { return .none(candidates: []) }
        let byAddress = addresses[address] ?? addresses[Self.address(word)]
        let found = indices(named: word) ?? byAddress ?? indices(numbered: word)
        if let first = found.first, found.count == 1 { return .one(contacts[first]) }
        if found.isEmpty {
            let search = ContactSearch(word)
            return .none(candidates: contacts.filter { search.finds($0) })
        }
        return .several(found.map { contacts[$0] })
    }

    /// The contacts with this value, in the book's order. Names and addresses are compared as by `lookup`, numbers with or
    /// without the code of their country.
    package mutating func contacts(with value: String, by key: ContactKey) -> [Contact] {
        let found: [Int]
        switch key {
        case .id: found = ids[value].map { [$0] } ?? []
        case .name: found = indices(named: value) ?? []
        case .mail: found = addresses[ContactSearch.folded(value.trimmed)] ?? addresses[Self.address(value)] ?? []
        case .phone: found = indices(numbered: value)
        }
        return Set(found).sorted().map { contacts[$0] }
    }

    /// The name of the person that a card names by its identifier or address (RFC 6350 6.6.5, 6.6.6); other texts as they are.
    package mutating func name(ofReference text: String) -> String {
        let id = VCardDraft.withoutURN(text)
        let isAddress = ASCII.has("mailto:", in: text)
        let found = [id, id.lowercased(), id.uppercased()].lazy.compactMap { [ids] in ids[$0] }.first
        let index = found ?? (isAddress ? addresses[Self.address(text)]?.first : nil)
        return index.flatMap { contacts[$0].displayName.filled } ?? text
    }

    /// Ascending. `text`: also the address of a caller, `sip:+4922@example.org`.
    private mutating func indices(numbered text: String) -> [Int] {
        let isCaller = ASCII.has("sip:", in: text) || ASCII.has("sips:", in: text)
        let number = isCaller ? String(text.drop { $0 != ":" }.dropFirst().prefix { $0 != "@" }) : text
        guard let number = ComparedNumber(number) else { return [] }
        let found =
            (numbers[number.hash] ?? []) + (nationalNumbers[number.hash] ?? [])
            + number.nationalForms.flatMap { numbers[$0] ?? [] }
        return Set(found).sorted()
    }

    /// Folded, of a sender or recipient as a message names it: with a name beside it, or as a URL.
    private static func address(_ text: String) -> String { ContactSearch.folded(MailAddress.plain(text)) }

    private mutating func indices(named name: String) -> [Int]? {
        let found = names[ComparedName.hash(ofFolded: ComparedName.folded(name))]
        guard let found, found.count > 1 else { return found }
        // Blanks count where they are all that differs: Jo Anne is not Joanne.
        let folded = ContactSearch.folded(name.trimmed)
        let same = found.filter { ContactSearch.folded(contacts[$0].displayName.trimmed) == folded }
        return same.isEmpty ? found : same
    }

    private func nameTable() -> [UInt64: [Int]] {
        var buffer: [UInt8] = []
        return table { ComparedName.hash($0.displayName, by: &buffer).map { [$0] } ?? [] }
    }

    private func addressTable() -> [String: [Int]] {
        table { $0.emails.map { ContactSearch.folded($0.value.trimmed) }.filter { !$0.isEmpty } }
    }

    private func numberTable(_ hashes: (ComparedNumber) -> [UInt64]) -> [UInt64: [Int]] {
        table { $0.phones.compactMap { ComparedNumber($0.value) }.flatMap(hashes) }
    }

    private func table<Key: Hashable>(_ keys: (Contact) -> [Key]) -> [Key: [Int]] {
        var table: [Key: [Int]] = [:]
        for (index, contact) in contacts.enumerated() {
            // A contact may have an address twice.
            for key in keys(contact) where table[key]?.last != index { table[key, default: []].append(index) }
        }
        return table
    }
}

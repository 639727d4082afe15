/// The mail addresses of address books, prepared for the question of a mail program: a part of a name or address in, whole
/// addresses out. Immutable, for any thread.
package struct AddressTable: Sendable {
    /// An address that is offered.
    package struct Match: Hashable, Sendable {
        /// Usable in the header of a message as it is: without blanks, commas and control characters.
        package let address: String
        /// One line; empty for a contact without a name.
        package let name: String
        /// One line: the address's own label or kind, the company; may be empty.
        package let note: String
    }

    struct Person {
        let name: String
        /// At least one, the preferred one first, each with its note.
        let addresses: [(text: String, note: String)]
    }

    /// At most `TextRows.capacity` people.
    private struct Block: Sendable {
        let texts: SearchRows
        var people = PackedPeople()
    }

    private var blocks: [Block] = []

    /// Contacts without an address are left out.
    package init(_ contacts: some Sequence<Contact>) {
        var folder = SearchFolder()
        // Block by block: books may be large, and are packed until they are read here.
        var (found, people): ([Contact], PackedPeople) = ([], PackedPeople())
        for contact in contacts {
            guard let person = Person(contact) else { continue }
            found.append(contact)
            people.append(person)
            if found.count < TextRows.capacity { continue }
            blocks.append(Block(texts: SearchRows(found, &folder), people: people))
            found = []
            people = PackedPeople()
        }
        if !found.isEmpty { blocks.append(Block(texts: SearchRows(found, &folder), people: people)) }
    }

    /// As `bytes` were. Nil: others.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = RowReader(bytes)
        while !reader.isAtEnd {
            guard let texts = SearchRows(&reader), let people = PackedPeople(&reader) else { return nil }
            blocks.append(Block(texts: texts, people: people))
        }
    }

    /// To be kept. The same version of Tondo reads them.
    package var bytes: [UInt8] {
        var writer = RowWriter()
        for block in blocks {
            block.texts.encode(to: &writer)
            block.people.encode(to: &writer)
        }
        return writer.bytes
    }

    /// The addresses of the contacts that a `ContactSearch` finds; of all for an empty text. First those whose name or address has
    /// a word that begins so, then those that contain the words, then the others; each by name. An address comes once per name,
    /// whatever the order of its words, and without a name only where no found contact with a name has it. `text`: as it is typed in
    /// the header of a message, also a whole recipient.
    package func matches(_ text: String) -> [Match] {
        let words = Self.words(of: text)
        let (search, order) = (ContactSearch(words), AddressOrder(words))
        var found: [(rank: Int, name: String, isNamed: Bool, match: Match)] = []
        var seen: Set<[String]> = []
        var named: Set<String> = []
        for block in blocks {
            let rows = search.isEmpty ? .max : block.texts.rows(search, among: .max)
            for row in 0..<block.people.count where rows >> UInt128(row) & 1 == 1 {
                let person = block.people[row]
                let name = SearchFold.folded(person.name)
                // Moe, Ada is Ada Moe.
                let words = name.split { !$0.isWord }.map(String.init).sorted()
                for (address, note) in person.addresses where seen.insert([address.lowercased()] + words).inserted {
                    let isNamed = name != SearchFold.folded(address)
                    if isNamed { named.insert(address.lowercased()) }
                    let match = Match(address: address, name: person.name, note: note)
                    found.append((order.rank(of: address, name: person.name, folded: name), name, isNamed, match))
                }
            }
        }
        // Equal ones stay in the order of the books.
        let rest = found.indices.filter { found[$0].isNamed || !named.contains(found[$0].match.address.lowercased()) }
        let sorted = rest.sorted { one, other in
            (found[one].rank, found[one].name, one) < (found[other].rank, found[other].name, other)
        }
        return sorted.map { found[$0].match }
    }

    /// Without the name before an address that has its at sign (RFC 5322 3.4).
    private static func words(of recipient: String) -> String {
        let address = recipient.lastIndex(of: "<").map { recipient[$0...] }.flatMap { $0.contains("@") ? $0 : nil }
        let text = address ?? recipient[...]
        return String(ASCII.has("mailto:", in: String(text)) ? text.dropFirst(7) : text)
    }
}

extension Contact {
    /// The mail addresses that a group has for a message: its own, and those of members, who may be no contacts.
    package var recipients: [Contact] {
        var list = self
        let members = Set(members)
        list.emails.removeAll { members.contains("mailto:" + MailAddress.plain($0.value)) }
        return [list]
            + self.members.filter { ASCII.has("mailto:", in: $0) }.map { member in
                var contact = Contact(id: member)
                contact.emails = [ContactPoint(MailAddress.plain(member))]
                contact.groups = [ContactGroup(displayName)]
                return contact
            }
    }
}

extension AddressTable.Person {
    fileprivate init?(_ contact: Contact) {
        let company = contact.firstUnit ?? ""
        let addresses = contact.emails.compactMap { point -> (text: String, note: String)? in
            guard let address = MailAddress(point.value).sendable else { return nil }
            let kind = point.label ?? point.types.first { ["work", "home", "school"].contains($0) } ?? ""
            return (address, [kind, company].map(\.onOneLine).filter { !$0.isEmpty }.joined(separator: ", "))
        }
        guard !addresses.isEmpty else { return nil }
        self.init(name: contact.displayName.onOneLine, addresses: addresses)
    }
}

/// Which addresses people mean most probably by what they typed.
private struct AddressOrder {
    private let words: [String]

    init(_ text: String) { words = ContactSearch.words(of: text).map { SearchFold.folded(String($0)) } }

    /// 0 is the best. `folded`: the name.
    func rank(of address: String, name: String, folded: String) -> Int {
        if words.isEmpty { return 0 }
        let texts = [(name, folded), (address, SearchFold.folded(address))]
        return words.reduce(0) { rank, word in
            if rank == 2 { return 2 }
            if texts.contains(where: { Self.begins(word, in: $0, folded: $1) }) { return rank }
            return texts.contains { $1.contains(word) } ? max(rank, 1) : 2
        }
    }

    /// Whether the text, or a word in it, begins so.
    private static func begins(_ word: String, in text: String, folded: String) -> Bool {
        if folded.hasPrefix(word) { return true }
        // Folding joins what hyphens separate.
        let isJoined = text.utf8.contains(UInt8(ascii: "-"))
        let parts = isJoined ? SearchFold.folded(text.replacing("-", with: " ")) : folded
        return parts.split { !$0.isWord }.contains { $0.hasPrefix(word) }
    }
}

extension MailAddress {
    /// As it is written, if it can stand in the header of a message alone; nil if it could add an addressee or a line.
    fileprivate var sendable: String? {
        guard let text = forms.count > 1 && forms[1].lowercased() == forms[0] ? forms[1] : forms.first else {
            return nil
        }
        return text.unicodeScalars.allSatisfy(Self.isSendable) ? text : nil
    }

    /// Quoted names (RFC 5322 3.2.4) are left out: hardly any server takes them.
    private static func isSendable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ",", ";", ":", "<", ">", "(", ")", "[", "]", "\\", "\"": false
        default: !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
        }
    }
}

extension String {
    /// Control characters, line breaks and marks of the writing direction as blanks, of which none follow each other.
    fileprivate var onOneLine: String {
        let scalars = unicodeScalars.map { scalar -> Unicode.Scalar in
            let category = scalar.properties.generalCategory
            let isSign = [.control, .lineSeparator, .paragraphSeparator].contains(category)
            return isSign || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
                ? " " : scalar
        }
        return String(String.UnicodeScalarView(scalars)).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

internal import Synchronization
internal import TondoContacts

/// The JSON of recently listed contacts: unpacking and encoding a contact takes twenty times as long as copying it.
/// Usable from any thread.
final class ContactLines: Sendable {
    /// What a line depends on besides its contact.
    struct Variant: Hashable, Sendable {
        /// The name by which the list is sorted.
        var sort: ContactSort.Name?
        /// The locale of the sections.
        var locale = ""
    }

    private struct Key: Hashable {
        let block: Int
        let row: Int
        let variant: Int
    }

    private struct Line {
        var json: [UInt8]
        var avatars: AvatarKeys.Keys?
        /// The version of the keys that `avatars` was compared with.
        var version: Int
    }

    private struct State {
        /// One megabyte of JSON.
        var lines = LRUCache<Key, Line>(limit: 1 << 20)
        /// A number costs less than a text in every key.
        var variants: [Variant: Int] = [:]

        mutating func number(of variant: Variant) -> Int {
            if let number = variants[variant] { return number }
            variants[variant] = variants.count
            return variants.count - 1
        }
    }

    private let state = Mutex(State())
    private let avatars: AvatarKeys

    init(avatars: AvatarKeys = AvatarKeys()) { self.avatars = avatars }

    /// The contacts at these rows of a list, with commas between them; those of a search with what matched.
    func add(_ rows: Range<Int>, of list: ContactList, as variant: Variant = Variant(), to json: inout [UInt8]) {
        let version = avatars.version
        let found = rows.map { row in
            let (block, row) = list.snapshot.slot(list.position(row))
            return (block: block, row: row)
        }
        let (number, lines) = state.withLock { state in
            // The numbers stay few: locales come from a closed list.
            let number = state.number(of: variant)
            return (
                number,
                found.map { state.lines.get(Key(block: $0.block.number, row: $0.row, variant: number)) }
            )
        }
        // Only needed for new lines.
        var headlines: ContactHeadlines?
        var added: [(key: Key, line: Line)] = []
        for (index, known) in lines.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            let (block, row) = found[index]
            let packed = block.contacts[row]
            if let known, known.version == version {
                json += known.json
                list.more(ofRow: rows.lowerBound + index, hasMatch: index < Self.mostMatches).add(to: &json)
                continue
            }
            let line = line(packed, known: known, version: version, variant: variant, headlines: &headlines)
            json += line.json
            // Not a part of the kept line: it depends on other contacts, and on the search, of which there are many.
            list.more(ofRow: rows.lowerBound + index, hasMatch: index < Self.mostMatches).add(to: &json)
            added.append((Key(block: block.number, row: row, variant: number), line))
        }
        if added.isEmpty { return }
        state.withLock { state in
            for (key, line) in added { _ = state.lines.put(line, for: key, cost: line.json.count + 192) }
        }
    }

    /// Contacts of a page that say what a search matched: more are not on a screen.
    private static let mostMatches = 100

    private func line(
        _ packed: PackedContact, known: Line?, version: Int, variant: Variant,
        headlines: inout ContactHeadlines?
    ) -> Line {
        let keys = avatars.keys(of: packed.id)
        if var known, known.avatars == keys {
            known.version = version
            return known
        }
        let contact = packed.contact
        var own = headlines ?? ContactHeadlines(sort: variant.sort, locale: variant.locale)
        let json = ContactDocument.bytes(contact, headline: own.headline(of: contact), avatars: keys)
        headlines = own
        return Line(json: json, avatars: keys, version: version)
    }
}

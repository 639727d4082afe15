internal import Crypto
internal import Hummingbird
internal import HummingbirdCore
internal import NIOHTTP1
internal import Synchronization
internal import TondoContacts

/// What `GET /v1/contacts` asks for.
struct ContactQuery {
    /// Decides who is listed, in which order.
    struct Choice: Hashable {
        var filter = ContactFilter()
        var sort: ContactSort?
        var search = ""
        /// A group's id or name.
        var group: String?
    }

    var choice = Choice()
    var limit = 100
    var cursor: ContactCursor?

    static let limits = 1...500

    /// Throws `bad-parameter`, which names the parameter. Unknown parameters are ignored.
    init(_ uri: URI) throws(ProblemDetails) {
        for (name, value) in uri.queryParameters {
            let value = String(value)
            switch String(name) {
            case "filter":
                guard let filter = ContactFilter(value) else {
                    throw .badParameter(
                        "filter", "telegram, whatsapp, viber, signal, threema, phone, email; with commas")
                }
                choice.filter = filter
            case "sort":
                guard let sort = ContactSort(value) else {
                    throw .badParameter("sort", "given or family, -asc or -desc")
                }
                choice.sort = sort
            case "search": choice.search = value
            case "group": choice.group = value
            case "limit":
                guard value.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let limit = Int(value), Self.limits ~= limit else {
                    throw .badParameter("limit", "1 to 500")
                }
                self.limit = limit
            case "cursor":
                guard let cursor = ContactCursor(value) else { throw .badParameter("cursor", "as it was told") }
                self.cursor = cursor
            default: break
            }
        }
    }

    /// `list`: positions of all who are chosen. `next`: where the next page begins.
    func page(of list: ContactList) -> (items: ArraySlice<Int>, next: Int?) {
        let start = min(cursor.map { list.place(after: $0) } ?? 0, list.count)
        let end = min(start + limit, list.count)
        return (list.positions[start..<end], end < list.count ? end : nil)
    }
}

extension ProblemDetails {
    static func badParameter(_ name: String, _ allowed: String) -> ProblemDetails {
        ProblemDetails(.badRequest, code: "bad-parameter", detail: "\(name): \(allowed).")
    }
}

/// Where a page ended. Opaque to clients.
struct ContactCursor: Equatable {
    let offset: Int
    /// The last one of the page before: its id, or what is short enough to stand for it in a request's target.
    private let id: String

    init(offset: Int, id: String) { (self.offset, self.id) = (offset, Self.short(id)) }

    func isAt(_ id: String) -> Bool { self.id == Self.short(id) }

    private static func short(_ id: String) -> String {
        id.utf8.count <= 256 ? id : "sha256 " + SHA256.hash(data: Array(id.utf8)).description
    }

    /// Hexadecimal, so that it needs no escape anywhere.
    var text: String {
        "\(offset)-" + id.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    init?(_ text: String) {
        guard text.utf8.count <= 2_100, let dash = text.firstIndex(of: "-"), let offset = Int(text[..<dash]),
            offset >= 0, text.utf8.allSatisfy({ $0 != 0x2B })
        else { return nil }
        var digits = text[text.index(after: dash)...].utf8[...]
        var bytes: [UInt8] = []
        while !digits.isEmpty {
            guard digits.count >= 2, let byte = UInt8(Substring(digits.prefix(2)), radix: 16) else { return nil }
            bytes.append(byte)
            digits = digits.dropFirst(2)
        }
        guard let id = String(validating: bytes, as: UTF8.self) else { return nil }
        self.init(offset: offset, id: id)
    }
}

/// Who is chosen, as positions among everybody.
struct ContactList: Sendable {
    let positions: [Int]
    private let contacts: [PackedContact]

    var count: Int { positions.count }

    subscript(index: Int) -> Int { positions[index] }

    init(_ choice: ContactQuery.Choice, of packed: [PackedContact]) {
        let contacts = packed.map(\.contact)
        let search = ContactSearch(choice.search)
        let order = choice.sort?.order(of: contacts) ?? Array(contacts.indices)
        positions = order.filter { index in
            let contact = contacts[index]
            if contact.kind == .group || !choice.filter.passes(contact) || !search.finds(contact) { return false }
            return choice.group.map { group in contact.groups.contains { $0.id == group || $0.name == group } } ?? true
        }
        self.contacts = packed
    }

    /// Behind the one a page ended with, wherever that is now; when it is gone, where it was.
    func place(after cursor: ContactCursor) -> Int {
        let expected = cursor.offset - 1
        if positions.indices.contains(expected), cursor.isAt(contacts[positions[expected]].id) { return cursor.offset }
        return positions.firstIndex { cursor.isAt(contacts[$0].id) }.map { $0 + 1 } ?? cursor.offset
    }
}

/// The last lists that were asked for: whoever turns pages asks for the same again.
final class ContactLists: Sendable {
    private struct State {
        var revision = -1
        var lists: [(choice: ContactQuery.Choice, list: ContactList)] = []
    }

    private let state = Mutex(State())
    private let limit = 8

    /// May take long: names are compared by the rules of languages.
    func list(_ query: ContactQuery, of contacts: [PackedContact], revision: Int) -> ContactList {
        let known = state.withLock { state in
            state.revision == revision ? state.lists.first { $0.choice == query.choice }?.list : nil
        }
        if let known { return known }
        let list = ContactList(query.choice, of: contacts)
        state.withLock { state in
            if state.revision != revision { (state.revision, state.lists) = (revision, []) }
            state.lists = Array(([(query.choice, list)] + state.lists).prefix(limit))
        }
        return list
    }
}

internal import Hummingbird
internal import HummingbirdCore
internal import NIOHTTP1
internal import Synchronization
internal import TondoContacts
internal import TondoDigest
internal import TondoText

/// The query of `GET /v1/contacts`.
struct ContactQuery {
    /// Which contacts are listed, and in which order.
    struct Choice: Hashable {
        var filter = ContactFilter()
        var isFavourite = false
        /// Contacts that are one person are listed once.
        var isJoined = false
        var sort: ContactSort?
        var search = ""
        /// A group's id or name.
        var group: String?

        /// All contacts in the order of the books.
        var isWhole: Bool { self == Choice() }
    }

    /// Where the page begins.
    enum Start: Equatable {
        case cursor(ContactCursor)
        case offset(Int)
        /// At the page with this contact, if all pages have the same length.
        case around(String)

        /// Whether its row is known without a search through the list.
        func isFound(in list: ContactList) -> Bool {
            switch self {
            case .cursor(let cursor): list.isWhereItWas(cursor)
            case .offset: true
            case .around: false
            }
        }
    }

    /// `items`: places in the list. `next`: the start of the next page.
    typealias Page = (items: Range<Int>, next: Int?)

    /// The fields of each contact.
    enum Fields: String { case all, index }

    var choice = Choice()
    /// The locale of the sections, as in `ContactSort`.
    var locale = ""
    var fields = Fields.all
    var limit = 100
    var start: Start?

    static let limits = 1...500
    static let indexLimits = 1...20_000

    /// What the text of a contact in this list depends on.
    var variant: ContactList.Variant { ContactList.Variant(sort: choice.sort?.name, locale: locale) }

    /// Throws `bad-parameter`, which names the parameter. Unknown parameters are ignored.
    init(_ uri: URI) throws(ProblemDetails) {
        var length: String?
        for (name, value) in uri.queryParameters {
            let value = String(value)
            switch String(name) {
            case "filter":
                try choice.filter(by: value)
            case "duplicates":
                guard ["joined", "apart"].contains(value) else { throw .badParameter("duplicates", "joined or apart") }
                choice.isJoined = value == "joined"
            case "sort":
                guard let sort = ContactSort(value) else {
                    throw .badParameter("sort", "given or family, -asc or -desc")
                }
                choice.sort = sort
            case "search":
                guard ContactSearch.isPermitted(value) else {
                    throw .badParameter(
                        "search",
                        "at most \(ContactSearch.mostWords) words and \(ContactSearch.longestQuery) bytes")
                }
                choice.search = value
            case "group": choice.group = value
            case "limit": length = value
            case "cursor":
                guard let cursor = ContactCursor(value) else {
                    throw .badParameter("cursor", "the value of next in the page before")
                }
                try begin(.cursor(cursor), at: "cursor")
            case "offset":
                guard let offset = Self.number(in: value) else { throw .badParameter("offset", "0 or more") }
                try begin(.offset(offset), at: "offset")
            case "around": try begin(.around(value), at: "around")
            case "fields":
                guard let fields = Fields(rawValue: value) else { throw .badParameter("fields", "all or index") }
                self.fields = fields
            case "locale": locale = CollationLocale.identifier(value)
            default: break
            }
        }
        choice.sort?.locale = locale
        let limits = fields == .index ? Self.indexLimits : Self.limits
        if fields == .index { limit = limits.upperBound }
        guard let length else { return }
        guard let limit = Self.number(in: length), limits ~= limit else {
            throw .badParameter("limit", "\(limits.lowerBound) to \(limits.upperBound)")
        }
        self.limit = limit
    }

    private mutating func begin(_ start: Start, at name: String) throws(ProblemDetails) {
        guard self.start == nil else { throw .badParameter(name, "only one of cursor, offset and around") }
        self.start = start
    }

    private static func number(in text: String) -> Int? {
        text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(text) : nil
    }

    /// Throws `contact-not-found` if the list does not contain the contact of `around`.
    func page(of list: ContactList) throws(ProblemDetails) -> Page {
        let start = min(try first(of: list), list.count)
        let end = min(start + limit, list.count)
        return (start..<end, end < list.count ? end : nil)
    }

    private func first(of list: ContactList) throws(ProblemDetails) -> Int {
        switch start {
        case .cursor(let cursor): return list.row(after: cursor)
        case .offset(let offset): return offset
        case .around(let id):
            guard let row = list.row(of: id) else { throw .contactNotFound }
            return row - row % limit
        case nil: return 0
        }
    }
}

extension ContactQuery.Choice {
    /// Ways to reach a contact, and `favourite`.
    fileprivate mutating func filter(by words: String) throws(ProblemDetails) {
        let words = words.split(separator: ",")
        let ways = words.filter { String($0).lowercased().filter { $0 != " " } != Self.favourite }
        guard let filter = ContactFilter(ways.joined(separator: ",")) else {
            throw .badParameter(
                "filter", "telegram, whatsapp, viber, signal, threema, phone, email, favourite; separated by commas")
        }
        self.filter = filter
        isFavourite = ways.count < words.count
    }

    private static let favourite = "favourite"
}

extension ProblemDetails {
    static func badParameter(_ name: String, _ allowed: String) -> ProblemDetails {
        ProblemDetails(.badRequest, code: "bad-parameter", detail: "\(name) must be \(allowed).")
    }
}

/// The end of a page. Opaque to clients.
struct ContactCursor: Equatable {
    let offset: Int
    /// The last contact of the page before: its id, or a digest that is short enough for a request's target.
    private let id: String

    init(offset: Int, id: String) {
        self.offset = offset
        self.id = Self.short(id)
    }

    func isAt(_ id: String) -> Bool { self.id == Self.short(id) }

    private static func short(_ id: String) -> String {
        id.utf8.count <= 256 ? id : "sha256 " + SHA256Digest(of: id.utf8).hexadecimal
    }

    /// Hexadecimal, so that it needs no escape anywhere.
    var text: String { "\(offset)-" + Hex.text(id.utf8) }

    init?(_ text: String) {
        // `Int` reads a plus sign, too, which no cursor has.
        guard text.utf8.count <= 2_100, let dash = text.firstIndex(of: "-"), let offset = Int(text[..<dash]),
            offset >= 0, text.utf8.allSatisfy({ $0 != 0x2B }),
            let bytes = Hex.bytes(text[text.index(after: dash)...].utf8),
            let id = String(validating: bytes, as: UTF8.self)
        else { return nil }
        self.init(offset: offset, id: id)
    }
}

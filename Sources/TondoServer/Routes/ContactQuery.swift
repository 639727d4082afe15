internal import Crypto
internal import Hummingbird
internal import HummingbirdCore
internal import NIOHTTP1
internal import Synchronization
internal import TondoContacts
internal import TondoText

/// The query of `GET /v1/contacts`.
struct ContactQuery {
    /// Which contacts are listed, and in which order.
    struct Choice: Hashable {
        var filter = ContactFilter()
        var sort: ContactSort?
        var search = ""
        /// A group's id or name.
        var group: String?

        /// All contacts in the order of the books.
        var isWhole: Bool { self == Choice() }
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
                        "filter", "telegram, whatsapp, viber, signal, threema, phone, email; separated by commas")
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
                guard let cursor = ContactCursor(value) else {
                    throw .badParameter("cursor", "the value of next in the page before")
                }
                self.cursor = cursor
            default: break
            }
        }
    }

    /// `items`: places in the list. `next`: the start of the next page.
    func page(of list: ContactList) -> (items: Range<Int>, next: Int?) {
        let start = min(cursor.map { list.place(after: $0) } ?? 0, list.count)
        let end = min(start + limit, list.count)
        return (start..<end, end < list.count ? end : nil)
    }
}

extension ProblemDetails {
    static func badParameter(_ name: String, _ allowed: String) -> ProblemDetails {
        ProblemDetails(.badRequest, code: "bad-parameter", detail: "\(name): \(allowed).")
    }
}

/// The end of a page. Opaque to clients.
struct ContactCursor: Equatable {
    let offset: Int
    /// The last contact of the page before: its id, or a digest that is short enough for a request's target.
    private let id: String

    init(offset: Int, id: String) { (self.offset, self.id) = (offset, Self.short(id)) }

    func isAt(_ id: String) -> Bool { self.id == Self.short(id) }

    private static func short(_ id: String) -> String {
        id.utf8.count <= 256 ? id : "sha256 " + SHA256.hash(data: Array(id.utf8)).description
    }

    /// Hexadecimal, so that it needs no escape anywhere.
    var text: String {
        "\(offset)-" + Hex.text(id.utf8)
    }

    init?(_ text: String) {
        guard text.utf8.count <= 2_100, let dash = text.firstIndex(of: "-"), let offset = Int(text[..<dash]),
            offset >= 0, text.utf8.allSatisfy({ $0 != 0x2B }),
            let bytes = Hex.bytes(text[text.index(after: dash)...].utf8),
            let id = String(validating: bytes, as: UTF8.self)
        else { return nil }
        self.init(offset: offset, id: id)
    }
}

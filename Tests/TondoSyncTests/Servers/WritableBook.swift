import Foundation
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// An address book in this process that takes changes, as RFC 9110 section 13 demands, until a test says otherwise. It counts
/// the changes that had an effect.
final class WritableBook {
    /// What goes wrong with one request.
    enum Fault {
        /// Answered so, and not carried out.
        case status(Int, String = "")
        /// 503 with a number of seconds to wait, and not carried out.
        case later(Int)
        /// A redirect.
        case moved(String)
        /// Carried out, and the answer is lost.
        case lost
        /// The connection breaks before the server has the request.
        case broken
        /// Carried out after the next request.
        case late
        /// The server takes it, and stores other bytes.
        case stores((String) -> String)
        /// Another client writes the card first.
        case overtaken(String?)
    }

    private(set) var state = FakeAddressBook.State()
    /// Of requests that change something: the first fault is that of the first one, and so on.
    var faults: [Fault?] = []
    /// All requests that change a card, with the conditions.
    private(set) var changes: [(line: String, condition: String, type: String?, body: String)] = []
    /// What each card was, in the order of the changes of all clients.
    private(set) var history: [(name: String, card: String)] = []
    private(set) var requests = 0
    /// Requests that were meant for another server.
    private(set) var strangers = 0
    /// Changes of Tondo that had an effect.
    private(set) var effects = 0
    /// Before and after each request.
    var onRequest: () throws -> Void = {}
    /// The privileges that it reports; nil: none.
    var privileges: [String]?
    /// The status of an answer to the question for them; nil: it is answered.
    var privilegeStatus: Int?
    /// A card that is listed, and not found when it is asked for.
    var hidden: String?
    /// Everything is 404.
    var isGone = false
    /// Tags in listings and cards.
    var tag: (String) -> String = { $0 }
    var ignoresConditions = false
    /// Conditions are compared with what `tag` makes.
    var comparesLiterally = false
    private var delayed: (() -> Void)?

    init(_ cards: [String: String]) { for (name, card) in cards.sorted(by: { $0.key < $1.key }) { put(name, card) } }

    /// With the same cards.
    func copy() -> WritableBook {
        let copy = WritableBook([:])
        copy.state = state
        copy.history = history
        copy.changes = changes
        copy.effects = effects
        return copy
    }

    func put(_ name: String, _ card: String) {
        state.cards[FakeAddressBook.path + name] = ("\"\(state.changes.count)\"", card)
        state.changes.append(FakeAddressBook.path + name)
        history.append((name, card))
    }

    func remove(_ name: String) {
        state.cards[FakeAddressBook.path + name] = nil
        state.changes.append(FakeAddressBook.path + name)
    }

    subscript(name: String) -> String? { state.cards[FakeAddressBook.path + name]?.card }

    // MARK: Answers

    func answer(_ request: HTTPRequest) throws -> HTTPResponse {
        try onRequest()
        requests += 1
        if request.url.origin.host != "127.0.0.1" { strangers += 1 }
        let late = delayed
        delayed = nil
        defer { late?() }
        let reply = try reply(to: request)
        try onRequest()
        var fields = HTTPHeaders()
        for (name, value) in reply.headers { fields.add(line: "\(name): \(value)") }
        return HTTPResponse(status: reply.status, headers: fields, url: request.url, body: reply.body)
    }

    private func reply(to request: HTTPRequest) throws -> ScriptedServer.Reply {
        if isGone { return .init(404) }
        let headers = Dictionary(request.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
        let body = String(decoding: request.body ?? [], as: UTF8.self)
        if request.method == "PUT" || request.method == "DELETE" { return try change(request, headers, body) }
        var shown = state
        for (href, item) in state.cards { shown.cards[href] = (tag(item.etag), item.card) }
        if let hidden, request.method == "GET" || body.contains("addressbook-multiget") {
            shown.cards[FakeAddressBook.path + hidden] = nil
        }
        if request.method == "GET" {
            guard let item = shown.cards[request.url.path] else { return .init(404) }
            return .init(200, item.card, headers: [("ETag", item.etag)])
        }
        if body.contains("current-user-privilege-set") {
            return privilegeStatus.map { .init($0) } ?? reportedPrivileges()
        }
        return FakeAddressBook.answer(
            .init(method: request.method, path: request.url.path, headers: headers, body: body, connection: 1), shown)
    }

    private func reportedPrivileges() -> ScriptedServer.Reply {
        guard let privileges else {
            return FakeAddressBook.multistatus([FakeAddressBook.status(FakeAddressBook.path, 404)])
        }
        let names = privileges.map { "<d:privilege><d:\($0)/></d:privilege>" }.joined()
        let set = FakeAddressBook.ok("<d:current-user-privilege-set>\(names)</d:current-user-privilege-set>")
        return FakeAddressBook.multistatus([
            "<d:response><d:href>\(FakeAddressBook.path)</d:href>\(set)</d:response>"
        ])
    }

    private func change(
        _ request: HTTPRequest, _ headers: [String: String], _ body: String
    ) throws -> ScriptedServer.Reply {
        let condition =
            headers["if-match"].map { "If-Match \($0)" } ?? headers["if-none-match"].map { "If-None-Match \($0)" }
        let path = request.url.path
        changes.append(("\(request.method) \(path)", condition ?? "", headers["content-type"], body))
        let fault = faults.isEmpty ? nil : faults.removeFirst()
        let card = request.method == "PUT" ? body : nil
        switch fault {
        case .status(let status, let text): return .init(status, text)
        case .moved(let url): return .init(307, headers: [("Location", url)])
        case .later(let seconds): return .init(503, headers: [("Retry-After", "\(seconds)")])
        case .broken: throw HTTPError.broken(host: "127.0.0.1", reason: "a test")
        case .lost:
            _ = carryOut(path, card, headers)
            throw HTTPError.timeout(host: "127.0.0.1")
        case .late:
            delayed = { [self] in _ = carryOut(path, card, headers) }
            return .init(204)
        case .stores(let rewritten): return carryOut(path, card.map(rewritten), headers)
        case .overtaken(let other):
            let name = String(path.dropFirst(FakeAddressBook.path.count))
            if let other { put(name, other) } else { remove(name) }
            return carryOut(path, card, headers)
        case nil: return carryOut(path, card, headers)
        }
    }

    private func carryOut(_ path: String, _ card: String?, _ headers: [String: String]) -> ScriptedServer.Reply {
        let item = state.cards[path]
        if !ignoresConditions {
            let known = item.map { comparesLiterally ? tag($0.etag) : $0.etag }
            if let wanted = headers["if-match"], known != wanted { return .init(412) }
            if headers["if-none-match"] == "*", item != nil { return .init(412) }
        }
        if card == nil, item == nil { return .init(404) }
        let name = String(path.dropFirst(FakeAddressBook.path.count))
        effects += 1
        if let card { put(name, card) } else { remove(name) }
        return .init(item == nil ? 201 : 204)
    }
}

import Foundation
import TondoTestSupport

/// A CardDAV account in memory, behind a scripted server: one address book, which answers as RFC 6578 and 6352 demand, until
/// a test replaces some of its answers.
final class FakeAddressBook: Sendable {
    struct State: Sendable {
        /// By href.
        var cards: [String: (etag: String, card: String)] = [:]
        /// Changes by their numbers; the token is the count of them.
        var changes: [String] = []
        /// Makes the tag of the collection; nil: the server has none.
        var tag: (@Sendable (_ changes: Int) -> String)?
        /// Answers a request instead.
        var instead: @Sendable (ScriptedServer.Request) -> ScriptedServer.Reply? = { _ in nil }
    }

    static let path = "/ada/book/"
    private static let head =
        #"<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:carddav" xmlns:s="http://calendarserver.org/ns/">"#

    let state = Locked(State())
    let server: ScriptedServer

    init(isSerial: Bool = false) throws {
        let state = state
        server = try ScriptedServer(isSerial: isSerial) { request in
            let instead = state.withLock { $0.instead }
            return instead(request) ?? state.withLock { Self.answer(request, $0) }
        }
    }

    var url: String { server.url + Self.path }

    func put(_ name: String, _ card: String? = nil) {
        state.withLock { state in
            let href = name.hasPrefix("/") ? name : Self.path + name
            let text = card ?? Self.card(name)
            state.cards[href] = ("\"\(state.changes.count)\"", text)
            state.changes.append(href)
        }
    }

    func remove(_ name: String) {
        state.withLock { state in
            state.cards[Self.path + name] = nil
            state.changes.append(Self.path + name)
        }
    }

    func answer(_ instead: @escaping @Sendable (ScriptedServer.Request) -> ScriptedServer.Reply?) {
        state.withLock { $0.instead = instead }
    }

    /// The answer without a replacement.
    func usual(_ request: ScriptedServer.Request) -> ScriptedServer.Reply {
        state.withLock { Self.answer(request, $0) }
    }

    static func card(_ name: String, note: String = "") -> String {
        "BEGIN:VCARD\nVERSION:3.0\nUID:uid-\(name)\nFN:\(name)\nNOTE:\(note)\nEND:VCARD\n"
    }

    static func answer(_ request: ScriptedServer.Request, _ state: State) -> ScriptedServer.Reply {
        let body = request.body
        if request.method == "PROPFIND" { return listing(request, state) }
        if body.contains("sync-collection") { return changes(body, state) }
        guard body.contains("addressbook-multiget") else { return ScriptedServer.Reply(501) }
        let hrefs = body.matches(of: /<href>([^<]*)<\/href>/).map { String($0.1).replacing("&amp;", with: "&") }
        return multistatus(
            hrefs.map { href in
                guard let item = state.cards[href] else { return status(href, 404) }
                return found(href, item.etag, item.card)
            })
    }

    private static func listing(_ request: ScriptedServer.Request, _ state: State) -> ScriptedServer.Reply {
        let token = "<d:sync-token>\(state.changes.count)</d:sync-token>"
        let tag = state.tag.map { "<s:getctag>\($0(state.changes.count))</s:getctag>" } ?? ""
        let types = "<d:resourcetype><d:collection/><c:addressbook/></d:resourcetype>"
        let own = "<d:response><d:href>\(path)</d:href>\(ok(types + token + tag))</d:response>"
        if request.headers["depth"] == "0" { return multistatus([own]) }
        return multistatus([own] + state.cards.map { found($0.key, $0.value.etag) })
    }

    private static func changes(_ body: String, _ state: State) -> ScriptedServer.Reply {
        let token = body.firstMatch(of: /<sync-token>([^<]*)</).map { String($0.1) } ?? ""
        let known = Int(token) ?? 0
        let changed = token.isEmpty ? Set(state.cards.keys) : Set(state.changes.dropFirst(known))
        let items = changed.sorted().map { href in state.cards[href].map { found(href, $0.etag) } ?? status(href, 404) }
        return multistatus(items, token: "\(state.changes.count)")
    }

    static func ok(_ properties: String) -> String {
        "<d:propstat><d:prop>\(properties)</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>"
    }

    static func found(_ href: String, _ etag: String, _ card: String? = nil) -> String {
        let data = card.map { "<c:address-data>\(escaped($0))</c:address-data>" } ?? ""
        return
            "<d:response><d:href>\(escaped(href))</d:href>\(ok("<d:getetag>\(escaped(etag))</d:getetag>\(data)"))</d:response>"
    }

    static func status(_ href: String, _ status: Int) -> String {
        "<d:response><d:href>\(escaped(href))</d:href><d:status>HTTP/1.1 \(status) X</d:status></d:response>"
    }

    static func multistatus(_ responses: [String], token: String? = nil) -> ScriptedServer.Reply {
        let token = token.map { "<d:sync-token>\($0)</d:sync-token>" } ?? ""
        return ScriptedServer.Reply(207, head + responses.joined() + token + "</d:multistatus>")
    }

    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}

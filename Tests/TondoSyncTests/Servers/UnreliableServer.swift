import Foundation
import TondoTestSupport

@testable import TondoSync

/// An address book in this process whose answers are wrong in ways that a seed chooses. It never lies by leaving a card out of a whole
/// listing: no client could know.
final class UnreliableServer {
    /// What may be wrong with an answer. Those of cards come first.
    enum Fault: CaseIterable {
        case notFound, notFoundProperties, left, doubled, unreadable, page, otherCards, otherSpelling, otherTags
        case referenceToControl, noBook
        case cut, failure, unavailable, tooLarge, emptyBody, emptyAnswer, reordered, redirected, blanksBefore
        case partial, strangers, otherPrefix
    }

    private(set) var state = FakeAddressBook.State()
    /// Cards by the ids of their paths, with the tags that the answers of this run gave them.
    private(set) var listed: [String: Set<String>] = [:]
    /// Whole listings of this run: what an earlier one has may have been superseded.
    private(set) var listings = 0
    private(set) var requests: [String] = []
    var isReliable = false
    /// It deletes a card while cards are fetched.
    var deletesMeanwhile = false
    private var random: SplitMix64
    private let hasReports: Bool
    private let faults: [Fault]

    /// `faults`: nil leaves the choice to the seed.
    init(_ seed: UInt64, faults: [Fault]? = nil) {
        random = SplitMix64(seed)
        hasReports = Bool.random(using: &random)
        self.faults =
            faults ?? Array(Fault.allCases.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random)))
        if Bool.random(using: &random) { state.tag = { "tag-\($0)" } }
        for number in 0..<Int.random(in: 1...9, using: &random) { put("c\(number).vcf") }
    }

    func put(_ name: String) {
        let href = FakeAddressBook.path + name
        let text = FakeAddressBook.card(name, note: "\(state.changes.count)")
        state.cards[href] = ("\"\(state.changes.count)\"", text)
        state.changes.append(href)
    }

    func remove(_ href: String) {
        state.cards[href] = nil
        state.changes.append(href)
    }

    /// What happens to the book between two runs.
    func change() {
        (listed, listings) = ([:], 0)
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            switch Int.random(in: 0...2, using: &random) {
            case 0: put("n\(state.changes.count).vcf")
            case 1: if let href = state.cards.keys.sorted().randomElement(using: &random) { put(name(href)) }
            default: if let href = state.cards.keys.sorted().randomElement(using: &random) { remove(href) }
            }
        }
    }

    private func name(_ href: String) -> String { String(href.dropFirst(FakeAddressBook.path.count)) }

    // MARK: Answers

    func answer(_ request: HTTPRequest) throws -> HTTPResponse {
        let body = String(decoding: request.body ?? [], as: UTF8.self)
        let headers = Dictionary(request.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
        let plain = ScriptedServer.Request(
            method: request.method, path: request.url.path, headers: headers, body: body, connection: 1)
        requests.append("\(request.method) \(request.url.path)")
        if deletesMeanwhile, body.contains("multiget"), let href = state.cards.keys.sorted().first {
            deletesMeanwhile = false
            remove(href)
        }
        var reply = usual(plain)
        let fault =
            isReliable || request.url.query != nil || Int.random(in: 0...2, using: &random) == 0
            ? nil : faults.randomElement(using: &random)
        if let fault { reply = spoil(reply, fault, plain) }
        note(reply, plain)
        var fields = HTTPHeaders()
        for (name, value) in reply.headers { fields.add(line: "\(name): \(value)") }
        return HTTPResponse(status: reply.status, headers: fields, url: request.url, body: reply.body)
    }

    private func usual(_ request: ScriptedServer.Request) -> ScriptedServer.Reply {
        if request.method == "GET" {
            let card = state.cards[request.path]?.card
            return card.map { ScriptedServer.Reply(200, $0) } ?? ScriptedServer.Reply(404)
        }
        if !hasReports, request.body.contains("sync-collection") { return ScriptedServer.Reply(501) }
        return FakeAddressBook.answer(request, state)
    }

    /// Notes what a whole answer lists.
    private func note(_ reply: ScriptedServer.Reply, _ request: ScriptedServer.Request) {
        let isListing =
            request.body.contains("sync-collection") || request.method == "PROPFIND" && request.headers["depth"] == "1"
        guard isListing, reply.status == 207 else { return }
        var found: [String: String] = [:]
        var (reader, text) = (MultistatusReader(), reply.body)
        let xml = XMLReader { event in
            try reader.take(event) { response in
                if response.status ?? 200 == 200, response.isFound, let href = response.hrefs.first {
                    found[DAVPath.id(href)] = response.etag ?? ""
                }
            }
        }
        do {
            try text.withUnsafeMutableBytes { try xml.read(UnsafeRawBufferPointer($0)) }
            try xml.finish()
        } catch { return }
        listings += 1
        for (id, etag) in found { listed[id, default: []].insert(etag) }
    }

    private func spoil(
        _ reply: ScriptedServer.Reply, _ fault: Fault, _ request: ScriptedServer.Request
    ) -> ScriptedServer.Reply {
        let isCards = request.body.contains("multiget")
        let isListing =
            request.body.contains("sync-collection") || request.method == "PROPFIND" && request.headers["depth"] == "1"
        switch fault {
        case .cut: return cut(reply)
        case .failure: return ScriptedServer.Reply([400, 403, 404, 500, 507].randomElement(using: &random) ?? 500)
        case .unavailable: return ScriptedServer.Reply(503)
        case .tooLarge: return ScriptedServer.Reply(413)
        case .emptyBody: return ScriptedServer.Reply(reply.status)
        case .emptyAnswer: return isCards ? FakeAddressBook.multistatus([]) : reply
        case .redirected: return ScriptedServer.Reply(307, "", headers: [("Location", request.path + "?again")])
        case .blanksBefore: return changed(reply) { "\u{FEFF} \n" + $0 }
        case .noBook: return request.headers["depth"] == "0" ? ScriptedServer.Reply(404) : reply
        default: break
        }
        if isCards { return changed(reply) { spoil(cards: $0, fault) } }
        return isListing ? changed(reply) { spoil(listing: $0, fault, request) } : reply
    }

    private func cut(_ reply: ScriptedServer.Reply) -> ScriptedServer.Reply {
        var reply = reply
        if reply.body.count > 1 { reply.body.removeLast(Int.random(in: 1..<reply.body.count, using: &random)) }
        return reply
    }

    private func changed(_ reply: ScriptedServer.Reply, _ change: (String) -> String) -> ScriptedServer.Reply {
        guard reply.status == 207 else { return reply }
        var reply = reply
        reply.body = Array(change(String(decoding: reply.body, as: UTF8.self)).utf8)
        return reply
    }

    /// The responses of a multistatus, each changed or not.
    private func each(_ text: String, _ change: (String) -> String) -> String {
        text.components(separatedBy: "<d:response>").enumerated().map { index, part in
            guard index > 0, Bool.random(using: &random), let end = part.range(of: "</d:response>") else {
                return index == 0 ? part : "<d:response>" + part
            }
            return change("<d:response>" + part[..<end.upperBound]) + part[end.upperBound...]
        }.joined()
    }

    private static func href(_ response: String) -> String {
        response.firstMatch(of: /<d:href>([^<]*)</).map { String($0.1) } ?? ""
    }

    private func spoil(cards text: String, _ fault: Fault) -> String {
        switch fault {
        case .notFound: each(text) { FakeAddressBook.status(Self.href($0), 404) }
        case .notFoundProperties:
            each(text) { response in
                "<d:response><d:href>\(Self.href(response))</d:href><d:propstat><d:status>HTTP/1.1 404 X</d:status></d:propstat></d:response>"
            }
        case .left: each(text) { _ in "" }
        case .doubled: each(text) { $0 + $0 }
        case .unreadable: each(text) { $0.replacing("END:VCARD", with: "") }
        case .page: each(text) { $0.replacing(/BEGIN:VCARD[^<]*/, with: "&lt;html>") }
        case .otherCards:
            each(text) { $0 + FakeAddressBook.found("/ada/other/x.vcf", "\"9\"", FakeAddressBook.card("x")) }
        case .otherSpelling: each(text) { $0.replacing("/book/c", with: "/book/%63") }
        case .otherTags: each(text) { $0.replacing("<d:getetag>", with: "<d:getetag>W/") }
        case .referenceToControl: each(text) { $0.replacing("FN:", with: "FN:&#x1A;") }
        case .reordered: reversed(text)
        default: text
        }
    }

    private func spoil(listing text: String, _ fault: Fault, _ request: ScriptedServer.Request) -> String {
        switch fault {
        case .doubled: each(text) { $0 + $0 }
        case .reordered: reversed(text)
        case .otherSpelling: each(text) { $0.replacing("/book/c", with: "/book/%63") }
        case .otherTags: each(text) { $0.replacing("<d:getetag>", with: "<d:getetag>W/") }
        case .strangers: each(text) { $0 + FakeAddressBook.found("/ada/other/x.vcf", "\"9\"") }
        case .otherPrefix: text.replacing("<d:href>/ada/book/", with: "<d:href>/book/")
        case .partial: partial(text, request)
        default: text
        }
    }

    private func reversed(_ text: String) -> String {
        var parts = text.components(separatedBy: "<d:response>")
        guard parts.count > 2, let end = parts.last?.range(of: "</d:response>") else { return text }
        let tail = String(parts[parts.count - 1][end.upperBound...])
        parts[parts.count - 1] = String(parts[parts.count - 1][..<end.upperBound])
        return ([parts[0]] + parts.dropFirst().reversed()).joined(separator: "<d:response>") + tail
    }

    /// A part of the answer, and the token that was sent, or a token of its own that ends in nothing.
    private func partial(_ text: String, _ request: ScriptedServer.Request) -> String {
        let sent = request.body.firstMatch(of: /<sync-token>([^<]*)</).map { String($0.1) } ?? "0"
        return each(text) { _ in "" }
            .replacing(/<d:sync-token>[^<]*<.d:sync-token>/, with: "")
            .replacing("</d:multistatus>", with: "") + FakeAddressBook.status(FakeAddressBook.path, 507)
            + "<d:sync-token>\(sent)</d:sync-token></d:multistatus>"
    }
}

import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// An account with two homes of address books, one of which is shared.
@Suite(.blocking) struct HomesTests {
    private let book: FakeAddressBook
    private let trial: MirrorTrial
    /// Answers requests for these paths, or paths with depths, instead.
    private let instead = Locked<[String: ScriptedServer.Reply]>([:])
    private let week = 8 * 86_400

    init() throws {
        let (book, instead) = (try FakeAddressBook(), instead)
        self.book = book
        trial = try MirrorTrial(book.server.url + "/dav/")
        book.answer { request in
            let depth = request.headers["depth"] ?? ""
            let reply = instead.withLock { $0[request.path] ?? $0["\(request.path) \(depth)"] }
            if let reply { return reply }
            switch request.path {
            case "/dav/":
                return Self.answer(
                    "/dav/", "<d:current-user-principal><d:href>/me/</d:href></d:current-user-principal>")
            case "/me/":
                let homes = "<d:href>/ada/</d:href><d:href>/shared/</d:href>"
                return Self.answer("/me/", "<c:addressbook-home-set>\(homes)</c:addressbook-home-set>")
            case "/ada/": return Self.home(["/ada/book/"])
            case "/shared/": return Self.home(["/shared/book/"])
            default: return nil
            }
        }
        for name in ["ada.vcf", "bob.vcf", "eve.vcf", "/shared/book/zoe.vcf"] { book.put(name) }
        #expect(trial.run(now: week).error == nil)
        #expect(try trial.cards().count == 4)
    }

    private static func answer(_ href: String, _ properties: String) -> ScriptedServer.Reply {
        FakeAddressBook.multistatus([
            "<d:response><d:href>\(href)</d:href>\(FakeAddressBook.ok(properties))</d:response>"
        ])
    }

    private static func home(_ books: [String]) -> ScriptedServer.Reply {
        let types = "<d:resourcetype><d:collection/><c:addressbook/></d:resourcetype>"
        let own = "<d:response><d:href>/</d:href>\(FakeAddressBook.ok("<d:resourcetype/>"))</d:response>"
        return FakeAddressBook.multistatus(
            [own] + books.map { "<d:response><d:href>\($0)</d:href>\(FakeAddressBook.ok(types))</d:response>" })
    }

    /// Runs a week later, twice, as a guard on deletions would agree with the second one.
    private func weeks(_ path: String, _ reply: ScriptedServer.Reply) {
        instead.withLock { $0[path] = reply }
        for number in 2...3 { #expect(trial.run(now: number * week).error == nil) }
    }

    @Test(arguments: [
        ("/shared/", ScriptedServer.Reply(403)), ("/shared/", ScriptedServer.Reply(200, "<html/>")),
        ("/shared/", FakeAddressBook.multistatus([])),
        ("/shared/", FakeAddressBook.multistatus([FakeAddressBook.status("/shared/", 507)])),
    ])
    func `a home that is not listed loses no book`(path: String, reply: ScriptedServer.Reply) throws {
        weeks(path, reply)
        #expect(try trial.cards().count == 4)
    }

    @Test
    func `changes still arrive from a book whose home is not listed`() throws {
        weeks("/shared/", ScriptedServer.Reply(403))
        book.put("/shared/book/late.vcf")
        #expect(trial.run(now: 3 * week + 60).status.added == 1)
    }

    @Test
    func `a principal that does not answer loses no book`() throws {
        // The URL itself lists one of the books.
        let principal = "<d:current-user-principal><d:href>/me/</d:href></d:current-user-principal>"
        instead.withLock { instead in
            instead["/dav/ 0"] = Self.answer(
                "/dav/", "\(principal)<d:resourcetype><d:collection/></d:resourcetype>")
            instead["/dav/ 1"] = Self.home(["/ada/book/"])
        }
        weeks("/me/", ScriptedServer.Reply(403))
        #expect(try trial.cards().count == 4)
    }

    @Test(arguments: [ScriptedServer.Reply(404), home([])])
    func `a home without its book has lost it`(reply: ScriptedServer.Reply) throws {
        weeks("/shared/", reply)
        #expect(try trial.cards().count == 3)
    }
}

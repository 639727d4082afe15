import Foundation
import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// One account and its mirror, from the server's answers to the files.
@Suite(.blocking) struct CardDAVRunTests {
    private let book: FakeAddressBook
    private let trial: MirrorTrial

    init() throws {
        book = try FakeAddressBook()
        trial = try MirrorTrial(book.url)
        for name in ["ada.vcf", "bob.vcf", "eve.vcf"] { book.put(name) }
    }

    private func code(_ result: SourceRun.Result) -> String? { result.error?.code }

    @Test
    func `the first run fetches all cards`() throws {
        let result = trial.run()
        #expect(result.error == nil)
        #expect(result.status.added == 3)
        #expect(try trial.cards().count == 3)
        #expect(try trial.text("uid-ada.vcf.vcf") == FakeAddressBook.card("ada.vcf"))
    }

    @Test
    func `an unchanged run is one request`() throws {
        trial.run()
        book.server.forget()
        let result = trial.run()
        #expect(book.server.lines == ["REPORT /ada/book/"])
        #expect(book.server.requests.first?.headers["depth"] == "0")
        #expect(result.status.requests == 1)
    }

    @Test
    func `an unchanged run writes nothing into the book or the state`() throws {
        trial.run()
        let before = try trial.folder.files().filter { !$0.hasSuffix("status.json") }.map { name in
            try FileManager.default.attributesOfItem(atPath: trial.folder.pathString + "/" + name)[.modificationDate]
                as? Date
        }
        trial.run()
        let after = try trial.folder.files().filter { !$0.hasSuffix("status.json") }.map { name in
            try FileManager.default.attributesOfItem(atPath: trial.folder.pathString + "/" + name)[.modificationDate]
                as? Date
        }
        #expect(before == after)
    }

    @Test
    func `the next cards are asked for while the last ones are written`() throws {
        for number in 0..<60 { book.put("c\(number).vcf") }
        let second = Gate()
        let first = Locked(true)
        book.answer { request in
            guard request.body.contains("multiget") else { return nil }
            let isFirst = first.withLock { first in
                defer { first = false }
                return first
            }
            if !isFirst { second.open() }
            return nil
        }
        let mirror = try MirrorFolder(layout: trial.layout)
        let client = DAVClient(client: HTTPClient(options: .init())) { _ in true }
        let waited = Locked<[Bool]>([])
        let source = CardDAVSource(
            url: try #require(WebURL(book.url)), client: client, discovery: Discovery(client), mirror: mirror,
            allowsDeletion: false,
            prepare: { card in
                waited.withLock { $0.append(second.pass()) }
                return PreparedCard(bytes: card)
            })
        #expect(try source.run().added == 63)
        #expect(waited.withLock { $0.allSatisfy(\.self) })
    }

    @Test
    func `changes, new cards and deletions arrive`() throws {
        trial.run()
        book.put("ada.vcf", FakeAddressBook.card("ada.vcf", note: "new"))
        book.put("zoe.vcf")
        book.remove("bob.vcf")
        let result = trial.run()
        #expect(result.status.added == 1 && result.status.changed == 1 && result.status.removed == 1)
        #expect(try trial.text("uid-ada.vcf.vcf").contains("NOTE:new"))
        #expect(try trial.cards() == ["uid-ada.vcf.vcf", "uid-eve.vcf.vcf", "uid-zoe.vcf.vcf"])
    }

    @Test
    func `no request has a limit, and multiget asks by absolute paths`() throws {
        trial.run()
        let bodies = book.server.requests.map(\.body)
        #expect(bodies.allSatisfy { !$0.contains("limit") && !$0.contains("nresults") })
        let multiget = bodies.first { $0.contains("addressbook-multiget") }
        #expect(multiget?.contains("<href>/ada/book/ada.vcf</href>") == true)
        #expect(multiget?.contains("http://127") == false)
    }

    @Test(arguments: [
        (403, #"<d:error xmlns:d="DAV:"><d:valid-sync-token/></d:error>"#), (412, ""), (415, ""), (400, ""),
    ])
    func `a rejected token leads to a full listing`(status: Int, body: String) throws {
        trial.run()
        book.remove("bob.vcf")
        book.answer { request in
            let isStale = request.body.contains("<sync-token>3<")
            return isStale ? ScriptedServer.Reply(status, body) : nil
        }
        let result = trial.run()
        #expect(result.error == nil)
        #expect(book.server.lines.contains("PROPFIND /ada/book/"))
        #expect(try trial.cards() == ["uid-ada.vcf.vcf", "uid-eve.vcf.vcf"])
        book.server.forget()
        trial.run()
        #expect(book.server.lines == ["REPORT /ada/book/"])
    }

    @Test
    func `a server without reports is listed`() throws {
        book.answer { $0.body.contains("sync-collection") ? ScriptedServer.Reply(501) : nil }
        #expect(trial.run().error == nil)
        #expect(try trial.cards().count == 3)
    }

    @Test
    func `a report in parts is followed to its end`() throws {
        book.answer { request in
            guard request.body.contains("sync-collection") else { return nil }
            let rest = FakeAddressBook.status(FakeAddressBook.path, 507)
            switch request.body.firstMatch(of: /<sync-token>([^<]*)</).map({ String($0.1) }) {
            case nil:
                return FakeAddressBook.multistatus(
                    [FakeAddressBook.found("/ada/book/ada.vcf", "\"0\""), rest], token: "p1")
            case "p1":
                return FakeAddressBook.multistatus(
                    [FakeAddressBook.found("/ada/book/bob.vcf", "\"1\""), rest], token: "p2")
            default:
                return FakeAddressBook.multistatus([FakeAddressBook.found("/ada/book/eve.vcf", "\"2\"")], token: "3")
            }
        }
        #expect(trial.run().error == nil)
        #expect(try trial.cards().count == 3)
    }

    @Test(arguments: ["p1", "p2"])
    func `a part that does not advance is followed by a whole listing`(next: String) throws {
        trial.run()
        book.put("fay.vcf")
        book.remove("ada.vcf")
        book.answer { request in
            guard let token = request.body.firstMatch(of: /<sync-token>([^<]*)</)?.1 else { return nil }
            // Either the token that was sent, or a circle of two.
            let returned = next == "p1" ? String(token) : token == "p1" ? "p2" : "p1"
            return FakeAddressBook.multistatus([FakeAddressBook.status(FakeAddressBook.path, 507)], token: returned)
        }
        #expect(trial.run().error == nil)
        #expect(Set(try trial.cards()) == ["uid-bob.vcf.vcf", "uid-eve.vcf.vcf", "uid-fay.vcf.vcf"])
        #expect(book.server.requests.count < 12)
    }

    @Test
    func `items twice, the collection itself, 201 and 418 are nothing to worry about`() throws {
        book.answer { request in
            guard request.body.contains("sync-collection") else { return nil }
            let teapot =
                "<d:propstat><d:prop><d:displayname/></d:prop><d:status>HTTP/1.1 418 I'm a teapot</d:status></d:propstat>"
            let ada = FakeAddressBook.found("/ada/book/ada.vcf", "\"0\"").replacing(
                "</d:response>", with: teapot + "</d:response>")
            let bob = FakeAddressBook.found("/ada/book/bob.vcf", "\"1\"").replacing("200 OK", with: "201 Created")
            let own =
                "<d:response><d:href>/ada/book/</d:href>\(FakeAddressBook.ok("<d:getetag>\"x\"</d:getetag>"))</d:response>"
            return FakeAddressBook.multistatus([own, ada, ada, bob], token: "3")
        }
        let result = trial.run()
        #expect(result.error == nil && result.status.failed == 0)
        #expect(try trial.cards() == ["uid-ada.vcf.vcf", "uid-bob.vcf.vcf"])
    }

    @Test
    func `a property that is not found deletes nothing`() throws {
        trial.run()
        book.answer { request in
            guard request.body.contains("sync-collection") else { return nil }
            let none =
                "<d:propstat><d:prop><d:getetag/></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat>"
            return FakeAddressBook.multistatus(
                ["<d:response><d:href>/ada/book/ada.vcf</d:href>\(none)</d:response>"], token: "9")
        }
        let result = trial.run()
        #expect(result.error == nil && result.status.removed == 0)
        #expect(try trial.cards().count == 3)
    }

    @Test(arguments: [
        ScriptedServer.Reply(207, ""), ScriptedServer.Reply(200, "<html><body>Please log in</body></html>"),
        ScriptedServer.Reply(207, "<html><body>Please log in</body></html>"), ScriptedServer.Reply(204),
        ScriptedServer.Reply(200), ScriptedServer.Reply(207, "<d:multistatus xmlns:d=\"DAV:\">"),
        ScriptedServer.Reply(207, "\u{0}\u{1}"), ScriptedServer.Reply(500), ScriptedServer.Reply(302),
    ])
    func `an answer that is none never empties the mirror`(reply: ScriptedServer.Reply) throws {
        trial.run()
        book.answer { _ in reply }
        for _ in 0..<3 { #expect(trial.run().error != nil) }
        #expect(try trial.cards().count == 3)
    }

    /// A bad card is found by halves; a server that is down must not be asked for each card of a large book.
    @Test(arguments: [(400, 15), (503, 3)])
    func `a server that answers no request for cards is asked a few times`(status: Int, most: Int) throws {
        for number in 0..<60 { book.put("\(number).vcf") }
        book.answer { $0.body.contains("addressbook-multiget") ? ScriptedServer.Reply(status) : nil }
        #expect(trial.run().error != nil)
        #expect(book.server.requests.count { $0.body.contains("addressbook-multiget") } <= most)
    }

    @Test
    func `an emptied account empties the mirror with the second run`() throws {
        trial.run()
        for name in ["ada.vcf", "bob.vcf", "eve.vcf"] { book.remove(name) }
        #expect(trial.run().status.withheld == 3)
        #expect(try trial.cards().count == 3)
        #expect(trial.run().status.removed == 3)
        #expect(try trial.cards().isEmpty)
    }

    @Test
    func `deletions can be allowed at once`() throws {
        trial.run()
        for name in ["ada.vcf", "bob.vcf", "eve.vcf"] { book.remove(name) }
        #expect(trial.run(allowsDeletion: true).status.removed == 3)
    }

    @Test
    func `a listing without the collection itself is an error`() throws {
        trial.run()
        book.answer { request in
            if request.body.contains("sync-collection") { return ScriptedServer.Reply(412) }
            return request.headers["depth"] == "1" ? FakeAddressBook.multistatus([]) : nil
        }
        #expect(code(trial.run()) == "listing-empty")
        #expect(try trial.cards().count == 3)
    }

    @Test
    func `hrefs with escapes, foreign hosts and upper case are told apart`() throws {
        let names = [
            "100%25.vcf", "a@b.vcf", "semi;colon.vcf", "J%C3%B6rg.vcf", "ADA.vcf", "sp%20ace.vcf", "a%2Fb.vcf",
            "a&b.vcf",
        ]
        for name in names { book.put(name) }
        let result = trial.run()
        #expect(result.error == nil && result.status.failed == 0)
        #expect(result.status.added == 3 + names.count)
        #expect(Set(try trial.cards().map { $0.lowercased() }).count == 3 + names.count)
    }

    @Test
    func `two spellings of one href are one member`() throws {
        trial.run()
        book.answer { request in
            guard request.body.contains("sync-collection") else { return nil }
            return FakeAddressBook.multistatus(
                [FakeAddressBook.found("http://proxy.example:8080/ada/book/%61da.vcf", "\"0\"")], token: "3")
        }
        let result = trial.run()
        #expect(result.status.added == 0 && result.status.changed == 0)
    }

    @Test(arguments: ["/ada/book/../../etc/passwd", "/ada/other/x.vcf", "../x.vcf", "mailto:x"])
    func `cards outside of the collection are not stored, and are named`(href: String) throws {
        book.answer { request in
            guard request.body.contains("sync-collection") else { return nil }
            return FakeAddressBook.multistatus([FakeAddressBook.found(href, "\"0\"")], token: "3")
        }
        let result = trial.run()
        #expect(result.error == nil && result.status.failed == 1)
        #expect(result.status.missing?.map(\.code) == ["elsewhere"])
        #expect(try trial.folder.files().allSatisfy { $0.hasPrefix("work/") })
        #expect(try trial.cards().isEmpty)
    }

    @Test
    func `a card that breaks the answer is left out, and tried again`() throws {
        book.put("bad.vcf")
        book.answer { [book] request in
            guard request.body.contains("multiget"), request.body.contains("bad.vcf") else { return nil }
            var reply = book.usual(request)
            reply.body = Array(String(decoding: reply.body, as: UTF8.self).replacing("FN:bad.vcf", with: "<x>").utf8)
            return reply
        }
        let result = trial.run()
        #expect(result.error == nil && result.status.failed == 1)
        #expect(try trial.cards().count == 3)
        book.answer { _ in nil }
        #expect(trial.run().status.failed == 0)
        #expect(try trial.cards().count == 4)
        book.server.forget()
        trial.run()
        #expect(book.server.lines == ["REPORT /ada/book/"])
    }

    @Test
    func `raw control characters and CDATA are read`() throws {
        book.answer { [book] request in
            guard request.body.contains("multiget") else { return nil }
            var reply = book.usual(request)
            let text = String(decoding: reply.body, as: UTF8.self)
                .replacing("<c:address-data>", with: "<c:address-data><![CDATA[").replacing(
                    "</c:address-data>", with: "]]></c:address-data>")
            reply.body = Array(text.replacing("FN:ada", with: "FN:a\u{1}\u{B}da").utf8)
            return reply
        }
        let result = trial.run()
        #expect(result.error == nil && result.status.failed == 0)
        #expect(try trial.text("uid-ada.vcf.vcf") == FakeAddressBook.card("ada.vcf"))
    }

    @Test
    func `entities are refused`() throws {
        book.answer { request in
            guard request.body.contains("sync-collection") else { return nil }
            let bomb =
                #"<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "x"><!ENTITY c "&b;&b;">]><d:multistatus xmlns:d="DAV:">&c;</d:multistatus>"#
            return ScriptedServer.Reply(207, bomb)
        }
        let result = trial.run()
        #expect(code(result) == "answer-malformed")
        #expect("\(result.error!)".contains("document type"))
    }

    @Test
    func `what is no card is not stored`() throws {
        book.put("page.vcf", "<html>")
        let result = trial.run()
        #expect(result.error == nil && result.status.failed == 1)
        #expect(try trial.cards().count == 3)
    }

    @Test
    func `a file that was removed by hand comes back`() throws {
        trial.run()
        try trial.folder.remove("work/cards/uid-ada.vcf.vcf")
        #expect(trial.run().error == nil)
        #expect(try trial.cards().count == 3)
        book.server.forget()
        trial.run()
        #expect(book.server.lines == ["REPORT /ada/book/"])
    }

    @Test
    func `a dry run reports and writes nothing`() throws {
        let result = trial.run(isDry: true)
        #expect(result.status.added == 3)
        #expect(try trial.folder.files().isEmpty)
    }

    @Test
    func `each week everything is listed`() throws {
        let day = 86_400
        trial.run(now: 1_000 * day)
        book.server.forget()
        trial.run(now: 1_006 * day)
        #expect(book.server.lines == ["REPORT /ada/book/"])
        trial.run(now: 1_008 * day)
        #expect(book.server.lines.contains("PROPFIND /ada/book/"))
    }

    @Test
    func `a connection that ends anywhere loses nothing, and the next run converges`() throws {
        let count = book.server.requests.count
        trial.run()
        let total = book.server.requests.count - count
        for broken in 0..<total {
            for cut in [0, 20, 300] {
                let other = try FakeAddressBook()
                for name in ["ada.vcf", "bob.vcf", "eve.vcf"] { other.put(name) }
                let trial = try MirrorTrial(other.url)
                let seen = Locked(0)
                other.answer { [other] request in
                    let number = seen.withLock { number in
                        defer { number += 1 }
                        return number
                    }
                    return number == broken ? other.usual(request).cut(after: cut) : nil
                }
                // The client tries again after half a second; a run that is killed there would not.
                let result = trial.run()
                if result.error != nil { trial.run() }
                #expect(try trial.cards().count == 3, "request \(broken), \(cut) bytes")
            }
        }
    }
}

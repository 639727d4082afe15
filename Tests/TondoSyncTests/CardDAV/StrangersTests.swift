import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// Cards that a server lists outside of the book, as behind a proxy that changes some of the paths.
@Suite(.blocking) struct StrangersTests {
    private let book: FakeAddressBook
    private let trial: MirrorTrial

    init() throws {
        book = try FakeAddressBook()
        trial = try MirrorTrial(book.url)
        for name in ["ada.vcf", "bob.vcf", "eve.vcf"] { book.put(name) }
        trial.run()
    }

    private static func isListing(_ request: ScriptedServer.Request) -> Bool {
        request.method == "PROPFIND" && request.headers["depth"] == "1"
    }

    /// The token is rejected, and the listing has the cards that `moved` finds under another path.
    private func listElsewhere(_ moved: @escaping @Sendable (String) -> Bool) {
        book.answer { [book] request in
            if request.body.contains("sync-collection") { return ScriptedServer.Reply(412) }
            guard Self.isListing(request) else { return nil }
            let text = String(decoding: book.usual(request).body, as: UTF8.self)
            return ScriptedServer.Reply(
                207, text.replacing(/\/ada\/book\/([a-z]+\.vcf)/) { moved("\($0.1)") ? "/cards/7/\($0.1)" : "\($0.0)" })
        }
    }

    @Test
    func `cards that are listed under a foreign path delete nothing, however often`() throws {
        listElsewhere { _ in true }
        for _ in 0..<3 {
            let result = trial.run()
            #expect(result.error == nil && result.status.removed == 0 && result.status.withheld == 0)
            #expect(
                result.status.failed == 3
                    && result.status.missing?.map(\.code) == Array(repeating: "elsewhere", count: 3))
            #expect(try trial.cards().count == 3)
        }
        book.answer { _ in nil }
        book.remove("bob.vcf")
        #expect(trial.run().status.isComplete)
        #expect(try trial.cards() == ["uid-ada.vcf.vcf", "uid-eve.vcf.vcf"])
    }

    @Test
    func `cards whose paths end with a slash are read, and their deletion is followed`() throws {
        book.answer { [book] request in
            var request = request
            request.body = request.body.replacing(".vcf/</href>", with: ".vcf</href>")
            let text = String(decoding: book.usual(request).body, as: UTF8.self)
            return ScriptedServer.Reply(207, text.replacing(".vcf</d:href>", with: ".vcf/</d:href>"))
        }
        book.put("new.vcf")
        #expect(trial.run().status.isComplete)
        #expect(try trial.cards().count == 4)
        book.remove("new.vcf")
        let result = trial.run()
        #expect(result.status.removed == 1 && result.status.isComplete)
        #expect(try trial.cards().count == 3)
    }

    @Test
    func `cards whose paths end with a slash are found behind a proxy that changes paths`() throws {
        book.answer { [book] request in
            var request = request
            request.body = request.body.replacing(".vcf/</href>", with: ".vcf</href>")
                .replacing("/in/ada/", with: "/ada/")
            let text = String(decoding: book.usual(request).body, as: UTF8.self)
                .replacing(".vcf</d:href>", with: ".vcf/</d:href>").replacing("<d:href>/", with: "<d:href>/in/")
            return ScriptedServer.Reply(207, text)
        }
        book.put("new.vcf")
        #expect(trial.run().status.isComplete)
        #expect(try trial.cards().count == 4)
        book.remove("new.vcf")
        let result = trial.run()
        #expect(result.status.removed == 1 && result.status.isComplete)
    }

    @Test(arguments: [true, false])
    func `a folder with a tag in the list of changes is no card`(isTyped: Bool) throws {
        let type = "<d:resourcetype><d:collection/></d:resourcetype>"
        let folder = FakeAddressBook.ok("\(isTyped ? type : "")<d:getetag>1</d:getetag>")
        book.answer { [book] request in
            guard request.body.contains("sync-collection") else { return nil }
            #expect(request.body.contains("resourcetype"))
            let text = String(decoding: book.usual(request).body, as: UTF8.self)
            let response = "<d:response><d:href>/ada/book/sub/</d:href>\(folder)</d:response></d:multistatus>"
            return ScriptedServer.Reply(207, text.replacing("</d:multistatus>", with: response))
        }
        book.put("new.vcf")
        let result = trial.run()
        #expect(result.status.isComplete && result.status.added == 1)
    }

    @Test
    func `a name with a slash that is not escaped is one of the book, and its deletion is followed`() throws {
        book.put("AQMk/Zm9v==.vcf")
        book.put("plain.vcf")
        #expect(trial.run().status.isComplete)
        #expect(try trial.cards().count == 5)
        book.remove("AQMk/Zm9v==.vcf")
        #expect(trial.run().status.removed == 1)
        #expect(try trial.cards().count == 4)
    }

    @Test
    func `one card under a foreign path delays deletions, and other changes arrive`() throws {
        book.remove("bob.vcf")
        book.put("zoe.vcf")
        listElsewhere { $0 == "eve.vcf" }
        let result = trial.run()
        #expect(result.status.added == 1 && result.status.removed == 0 && result.status.failed == 1)
        #expect(try trial.cards().count == 4)
        book.answer { _ in nil }
        #expect(trial.run().status.removed == 1)
    }

    @Test
    func `a card that is not found is not deleted because another listing has it elsewhere`() throws {
        book.put("bob.vcf", FakeAddressBook.card("bob.vcf", note: "new"))
        book.answer { [book] request in
            let text = String(decoding: book.usual(request).body, as: UTF8.self)
            if Self.isListing(request) {
                return ScriptedServer.Reply(207, text.replacing("/ada/book/bob.vcf", with: "/cards/7/bob.vcf"))
            }
            guard request.body.contains("multiget") else { return nil }
            return FakeAddressBook.multistatus([FakeAddressBook.status("/ada/book/bob.vcf", 404)])
        }
        let result = trial.run()
        #expect(result.status.removed == 0 && result.status.missing?.map(\.card) == ["/ada/book/bob.vcf"])
        #expect(try trial.cards().count == 3)
    }
}

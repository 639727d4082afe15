import Foundation
import SystemPackage
import Testing
import TondoAvatars
import TondoContacts
import TondoEndpoints
import TondoTestSupport

@testable import TondoServer

@Suite(.timeLimit(.minutes(15))) struct CardsTests {
    /// The tests have cards of their own, which are files.
    private typealias Shown = TondoContacts.Card

    private struct Items: Decodable { var items: [Shown] }

    private func decoded(_ response: RawResponse) throws -> [Shown] {
        #expect(response.status == 200 && response.field("content-type") == "application/json")
        return try JSONDecoder().decode(Items.self, from: Data(response.body.utf8)).items
    }

    @Test func `A contact has its cards, and each can be fetched alone`() async throws {
        let people = try await ServedContacts()
        try await people.withClient { client in
            let cards = try decoded(try await client.get("/v1/contacts/ada/cards"))
            #expect(cards.map(\.type) == ["name", "emails", "messengers", "groups", "source"])
            for card in cards {
                let alone = try await client.get("/v1/contacts/ada/cards/\(card.id)")
                #expect(try JSONDecoder().decode(Shown.self, from: Data(alone.body.utf8)) == card)
            }
            for path in ["ada/cards/none", "ada/cards/none/rows", "nobody/cards", "nobody/cards/name"] {
                #expect(try await client.get("/v1/contacts/\(path)").status == 404)
            }
            #expect(try await client.get("/v1/contacts/ada/cards/none").json["code"] as? String == "card-not-found")
        }
    }

    @Test func `The books have a summary, their groups, and a card each`() async throws {
        let people = try await ServedContacts()
        try await people.withClient { client in
            let cards = try decoded(try await client.get("/v1/cards"))
            #expect(cards.map(\.id) == ["summary", "groups", "book-1"])
            #expect(cards[0].rows.prefix(3).map { "\($0.label) \($0.value)" } == ["contacts 3", "groups 2", "books 1"])
            #expect(cards[1].rows == [.init("group", "Family", note: "0/1"), .init("group", "Work", note: "0/2")])
            let summary = try await client.get("/v1/cards/summary")
            #expect(try JSONDecoder().decode(Shown.self, from: Data(summary.body.utf8)) == cards[0])
            let rows = try await client.get("/v1/cards/groups/rows?offset=1")
            #expect(rows.body == #"{"rows":[{"label":"group","value":"Work","note":"0/2"}]}"#)
            for offset in ["-1", "x", ""] {
                #expect(try await client.get("/v1/cards/groups/rows?offset=\(offset)").status == 400)
            }
        }
    }

    @Test func `Further rows come by the path in the card`() async throws {
        let phones = (0..<120).map { "TEL:+46 \($0)" }.joined(separator: "\r\n")
        let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:a b/c\r\nFN:Ada\r\n\(phones)\r\nEND:VCARD\r\n"
        try await RunningService.run(["ada": card]) { service in
            let cards = try decoded(try await service.get("/v1/contacts/a%20b%2Fc/cards"))
            let first = try #require(cards.first { $0.type == "phones" })
            var (values, more) = (first.rows.map(\.value), first.more)
            #expect(values.count == 50)
            while let path = more {
                let response = try await service.get(path)
                let page = try JSONDecoder().decode(CardRows.self, from: Data(response.body.utf8))
                values += page.rows.map(\.value)
                more = page.more
            }
            #expect(values == (0..<120).map { "+46 \($0)" })
        }
    }

    @Test func `A book has the name of its file or folder, and its number where several have that name`() {
        let names = BookCards.names(of: ["/books/friends.json", "/a/book", "/b/book", "/"])
        #expect(names == ["friends.json", nil, nil, nil])
        let books = (0..<5).map { AddressBookService.Progress(book: $0) }
        let cards = BookCards.cards(books, names: names, contacts: 0, groups: [], path: "/v1/cards")
        #expect(cards.dropFirst().map(\.header) == ["friends.json", "2", "3", "4", "5"])
        #expect(cards.dropFirst().map(\.id) == (1...5).map { "book-\($0)" })
    }

    @Test func `A book that cannot be read is a card with an error, without its path`() {
        var broken = AddressBookService.Progress(book: 1)
        (broken.problem, broken.reason) = ("unreadable", "/secret/book: no such file")
        var partly = AddressBookService.Progress(book: 0)
        (partly.people, partly.unreadable) = (2, .init(count: 3, first: ["secret.vcf"]))
        let cards = BookCards.cards([partly, broken], contacts: 2, groups: [], path: "/v1/cards")
        #expect(cards.map(\.id) == ["summary", "book-1", "book-2"])
        #expect(cards[1].rows == [.init("contacts", "2"), .init("unreadable", "3")] && cards[1].fold == false)
        #expect(cards[2].error?.code == "unreadable" && cards[2].error?.retry == "/v1/cards/book-2")
        #expect(cards[2].rows.isEmpty && cards[2].header == "2")
        let json = (try? JSONEncoder().encode(cards)).map { String(decoding: $0, as: UTF8.self) } ?? "secret"
        #expect(!json.contains("secret"))
    }

    @Test func `Cards are as open as contacts`() {
        for path in [
            "/v1/cards", "/v1/cards/x", "/v1/cards/x/rows", "/v1/contacts/a/cards", "/v1/contacts/a/cards/x/rows",
        ] {
            #expect(ServiceArea(path: path) == .contacts, "\(path)")
        }
        for path in ["/v1/cards/x/rows/y", "/v1/contacts/a/cards/x/rows/y", "/v1/contacts/a/card"] {
            #expect(ServiceArea(path: path) == nil, "\(path)")
        }
    }
}

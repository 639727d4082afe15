import Foundation
import Testing
import TondoTestSupport

@testable import TondoContacts

@Suite struct ContactCardsTests {
    private func contact(_ change: (inout Contact) -> Void) -> Contact {
        var contact = Contact(id: "ada")
        contact.name.formatted = "Ada Lovelace"
        change(&contact)
        return contact
    }

    private func card(_ type: String, _ change: (inout Contact) -> Void) -> Card? {
        contact(change).cards.first { $0.type == type }
    }

    @Test func `A contact without data has its name and its source`() {
        let cards = contact { _ in }.cards
        #expect(cards.map(\.type) == ["name", "source"] && cards.map(\.spacing) == [0, nil])
        #expect(cards[0].rows == [Card.Row("displayName", "Ada Lovelace")] && cards[0].further == nil)
        #expect(cards[1].rows == [] && cards[1].further == [Card.Row("id", "ada")] && cards[1].fold == true)
    }

    @Test func `No two cards have the same id, and only the source has no rows`() {
        var numbers = SplitMix64(5)
        for _ in 0..<200 {
            let cards = randomContact(&numbers).cards
            #expect(Set(cards.map(\.id)).count == cards.count)
            #expect(cards.allSatisfy { !$0.rows.isEmpty || $0.type == "source" })
        }
    }

    @Test func `The name shows its parts on demand, and the first ways to call in its preview`() throws {
        let card = try #require(
            card("name") {
                ($0.name.given, $0.name.family, $0.name.nicknames) = ("Ada", "Lovelace", ["Countess"])
                ($0.isVIP, $0.isOnline, $0.kind) = (true, false, .organisation)
                $0.phones = [ContactPoint("8 916 123 45 67", types: ["cell"]), ContactPoint("112")]
            })
        #expect(card.further?.map(\.label) == ["given", "family", "nickname"])
        #expect(card.header == "vip" && card.footer == "offline" && card.rows.last == .init("kind", "organisation"))
        #expect(card.preview?.title == "Ada Lovelace")
        #expect(card.preview?.rows == [.init("cell", "+7 (916) 123-45-67", link: "tel:+79161234567")])
    }

    @Test func `Labels go before types, and the rest is a note`() {
        let card = card("phones") {
            $0.phones = [
                ContactPoint("1234", types: ["home", "fax"], label: "Summer house"),
                ContactPoint("1234", types: ["home", "fax"]), ContactPoint("1234"),
            ]
        }
        #expect(card?.rows.map(\.label) == ["Summer house", "home", "phone"])
        #expect(card?.rows.map(\.note) == ["home, fax", "fax", nil])
    }

    @Test func `Addresses lead to a map, websites to themselves, and the birthday is as in the book`() {
        let cards = contact {
            $0.addresses = [ContactPoint("1 Road & Co\nTown", types: ["home"])]
            $0.websites = [ContactPoint("example.org/a b"), ContactPoint("https://example.org/ü?x=1#y", label: "Page")]
            $0.birthday = "--04-15"
        }.cards
        #expect(cards.map(\.type) == ["name", "addresses", "websites", "birthday", "source"])
        let link = "https://www.openstreetmap.org/search?query=1%20Road%20%26%20Co%2C%20Town"
        #expect(cards[1].rows == [.init("home", "1 Road & Co\nTown", link: link)])
        #expect(cards[2].rows.map(\.label) == ["website", "Page"])
        #expect(cards[2].rows.map(\.link) == [nil, "https://example.org/%C3%BC?x=1#y"])
        #expect(cards[3].rows == [.init("birthday", "--04-15")])
    }

    @Test func `Anniversaries, profiles and related people have cards`() {
        let cards = contact {
            $0.anniversary = "2010-06-12"
            $0.social = [
                ContactPoint("https://social.example/@ada", types: ["mastodon"]), ContactPoint("ada", types: ["skype"]),
            ]
            $0.related = [
                ContactPoint("William King", types: ["spouse"]), ContactPoint("urn:uuid:1", label: "Daughter"),
            ]
        }.cards
        #expect(cards.map(\.type) == ["name", "social", "anniversary", "related", "source"])
        #expect(
            cards[1].rows == [
                .init("mastodon", "https://social.example/@ada", link: "https://social.example/@ada"),
                .init("skype", "ada"),
            ])
        #expect(cards[2].rows == [.init("anniversary", "2010-06-12")])
        #expect(cards[3].rows == [.init("spouse", "William King"), .init("Daughter", "urn:uuid:1")])
    }

    @Test func `Types of machines are no labels`() {
        let card = card("emails") {
            $0.emails = [
                ContactPoint("a@b.c", types: ["internet"]),
                ContactPoint("d@e.f", types: ["internet", "x-own", "work", "pref"]),
            ]
        }
        #expect(card?.rows.map(\.label) == ["email", "work"] && card?.rows.map(\.note) == [nil, nil])
    }

    @Test(arguments: [
        ("example.org", "https://example.org"), ("HTTP://example.org/%41", "HTTP://example.org/%41"),
        ("example.org:8080/x", "https://example.org:8080/x"), ("//example.org", nil), ("javascript:alert(1)", nil),
        ("file:///etc/passwd", nil), ("data:text/html,x", nil), ("https://", nil), ("", nil), ("http:example.org", nil),
        ("https://[::1]/", "https://[::1]/"), ("https://a.example/\"<>", "https://a.example/%22%3C%3E"),
    ])
    func `Only links to the web open a website`(_ address: String, _ link: String?) {
        #expect(card("websites") { $0.websites = [ContactPoint(address)] }?.rows.first?.link == link)
    }

    @Test func `Units, title and role are rows; a long note is folded`() {
        let card = card("organisation") { ($0.organisation, $0.title, $0.role) = (["Acme", "Labs"], "Head", "") }
        #expect(card?.rows == [.init("organisation", "Acme"), .init("department", "Labs"), .init("title", "Head")])
        for (count, fold) in [(400, nil), (401, true)] as [(Int, Bool?)] {
            #expect(self.card("note") { $0.introduction = String(repeating: "x", count: count) }?.fold == fold)
        }
    }

    @Test func `A long chat comes in pages, each message once`() throws {
        let messages = (0..<120).map { "message \($0)" }
        let card = try #require(card("chat") { $0.chatLog = messages })
        #expect(card.rows.count == 120 && card.header == "120" && card.fold == false)
        let first = card.beginning(path: "/c")
        #expect(first.more == "/c/rows?offset=50")
        let second = CardRows(all: card.rows, offset: 50, path: "/c")
        let third = CardRows(all: card.rows, offset: 100, path: "/c")
        #expect(second.more == "/c/rows?offset=100" && third.more == nil)
        #expect((first.rows + second.rows + third.rows).map(\.value) == messages)
        #expect(CardRows(all: card.rows, offset: 999, path: "/c") == CardRows(all: [], offset: 0, path: "/c"))
        #expect(CardRows(all: Array(card.rows.prefix(50)), offset: 0, path: "/c").more == nil)
    }

    @Test(
        arguments: [
            ("+7 916 123-45-67", "tel:+79161234567"), ("8(916)1234567", "tel:+79161234567"), ("112", "tel:112"),
            ("+46 1", "tel:+461"), ("tel:+79161234567", "tel:+79161234567"), ("", nil),
            ("1", nil), ("+1+2", nil), ("*100#", nil), ("123456789012345678901", nil), ("ada", nil),
        ] as [(String, String?)])
    func `A number can be called`(_ phone: String, _ link: String?) { #expect(ContactLink.call(phone) == link) }

    @Test(
        arguments: [
            ("+1 (415) 555-0768 ext. 12", "+14155550768;ext=12"), ("12;ext=3", "12;ext=3"),
            ("+1 415 555 0768 x12", "+14155550768;ext=12"), ("+14155550768p12", "+14155550768;ext=12"),
            ("+1 415 555 0768,,12#", "+14155550768;ext=12"), ("+1 415 555 0768 #12", "+14155550768;ext=12"),
            ("+1 415 555 0768 (ext 12)", "+14155550768;ext=12"), ("+1 415 555 0768;12", "+14155550768;ext=12"),
            ("030 1234 Durchwahl 56", "0301234;ext=56"), ("+7 495 123-45-67 доб. 89", "+74951234567;ext=89"),
            ("+33 1 23 45 67 89 poste 42", "+33123456789;ext=42"), ("+14155550768w12", "+14155550768;ext=12"),
            ("+1 415 555 0768 ext.", "+14155550768"),
        ] as [(String, String)])
    func `An extension is no part of the number`(_ phone: String, _ number: String) {
        #expect(ContactLink.call(phone) == "tel:" + number)
    }

    @Test func `More than an extension behind a number makes no link`() {
        for phone in ["+1 415 555 0768,,12#,,34", "+1 415 555 0768 or +1 415", "+14155550768 ext 12 ask for Bo"] {
            #expect(ContactLink.call(phone) == nil, "\(phone)")
        }
    }

    @Test func `Letters are dialled as the keys they stand on`() {
        #expect(ContactLink.call("1-800-FLOWERS") == "tel:18003569377")
        #expect(ContactLink.call("Room 12") == nil && ContactLink.call("030 1234 Bo") == nil)
    }

    @Test func `The zero of calls inside the country is not dialled behind its code`() {
        #expect(ContactLink.call("+49 (0) 30 123456") == "tel:+4930123456")
        #expect(ContactLink.call("(0) 30 123456") == "tel:030123456")
    }

    @Test(
        arguments: [
            ("ada@example.org", "mailto:ada@example.org"), (" ada@example.org ", "mailto:ada@example.org"),
            ("Ada King <ada@example.org>", "mailto:ada@example.org"), ("Ada <ada>", nil),
            ("a?b&c@example.org", "mailto:a%3Fb%26c@example.org"), ("ada", nil), ("a@b@c", nil), ("@x", nil),
            ("a b@c", nil),
            ("a@x?bcc=y", "mailto:a@x%3Fbcc%3Dy"),
        ] as [(String, String?)])
    func `An address can be written to`(_ address: String, _ link: String?) {
        #expect(ContactLink.mail(address) == link)
    }

    @Test(
        arguments: [
            (.telegram, "@ada_l", "https://t.me/ada_l"), (.telegram, "+7 916 123 45 67", "https://t.me/+79161234567"),
            (.telegram, "a/../b", nil), (.telegram, "", nil), (.telegram, "javascript:0", nil),
            (.whatsapp, "+46 70 123", "https://wa.me/4670123"), (.whatsapp, "070 123", nil), (.whatsapp, "ada", nil),
            (.signal, "89161234567", "https://signal.me/#p/+79161234567"), (.signal, "ada.01", nil),
            (.threema, "abcd1234", "https://threema.id/ABCD1234"), (.threema, "abc", nil), (.viber, "+461234", nil),
        ] as [(Messenger, String, String?)])
    func `A handle can be opened`(_ messenger: Messenger, _ handle: String, _ link: String?) {
        #expect(ContactLink.message(handle, messenger: messenger) == link)
    }

    @Test func `No link has a character that needs an escape, or another scheme`() {
        var numbers = SplitMix64(6)
        let texts = ["\"", "<a>", "ж", "\u{202E}", " ", "+7", "ada", "@", "916", "://", "\n", "%", "."]
        for _ in 0..<5_000 {
            let text = (0..<4).map { _ in texts.randomElement(using: &numbers) ?? "" }.joined()
            let links =
                [ContactLink.call(text), ContactLink.mail(text)]
                + Messenger.allCases.map { ContactLink.message(text, messenger: $0) }
            for link in links.compactMap(\.self) {
                #expect(["tel:", "mailto:", "https://"].contains { link.hasPrefix($0) }, "\(link)")
                #expect(link.utf8.allSatisfy { 0x21...0x7E ~= $0 && !"\"<>".utf8.contains($0) }, "\(link)")
            }
        }
    }

    @Test func `Absent members are left out`() throws {
        let card = try #require(card("groups") { $0.groups = [ContactGroup("Club")] })
        let json = String(decoding: try JSONEncoder().encode(card), as: UTF8.self)
        for name in ["extension", "more", "error", "preview", "spacing", "fold", "link", "note"] {
            #expect(!json.contains("\"\(name)\""), "\(name)")
        }
        let name = try JSONEncoder().encode(contact { $0.name.given = "Ada" }.cards[0])
        #expect(String(decoding: name, as: UTF8.self).contains(#""extension":[{"#))
        #expect(try JSONDecoder().decode(Card.self, from: name).further?.count == 1)
    }
}

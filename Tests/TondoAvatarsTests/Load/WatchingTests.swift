import Testing
import TondoTestSupport

@testable import TondoAvatars

/// Each test waits for events of the loader; a change without an event hangs into the time limit.
@Suite(.timeLimit(.minutes(15))) struct WatchingTests {
    private let book: SmallBook

    init() throws {
        book = try SmallBook()
        try book.write(SmallBook.card("ada", photo: SmallBook.inline(1)), to: "ada.vcf")
        try book.write(SmallBook.card("bo", photo: SmallBook.inline(2)), to: "bo.vcf")
    }

    /// The events after `change` was made, up to one of these.
    private func events(until last: String..., after change: () throws -> Void) async throws -> [LoaderEvent] {
        var (events, isLoaded) = ([LoaderEvent](), false)
        for try await event in book.loader(isWatching: true).events() {
            if isLoaded { events.append(event) }
            if case .finished = event {
                isLoaded = true
                try change()
            }
            if isLoaded, last.contains(where: { event.text.hasPrefix($0) }) { break }
        }
        return events
    }

    @Test func `A new card is a new person with a face`() async throws {
        let events = try await events(until: "avatar") {
            try book.replace(SmallBook.card("cy", photo: SmallBook.inline(3)), in: "cy.vcf")
        }
        #expect(events.texts == ["changed cy", "avatar cy rendered"])
    }

    @Test func `A replaced photo is drawn, and only that`() async throws {
        let events = try await events(until: "avatar") {
            try book.replace(SmallBook.card("ada", photo: SmallBook.inline(4)), in: "ada.vcf")
        }
        #expect(events.texts == ["changed ada", "avatar ada rendered"])
    }

    @Test func `A person who only changed in words keeps the face`() async throws {
        var (recorded, isLoaded) = ([String](), false)
        for try await event in book.loader(isWatching: true).events() {
            if isLoaded { recorded.append(event.text) }
            if case .finished = event {
                isLoaded = true
                try book.replace(SmallBook.card("ada", photo: SmallBook.inline(1), note: "New"), in: "ada.vcf")
            }
            // The next event shows that no avatar was reported in between.
            if event.text == "changed ada" { try book.remove("bo.vcf") }
            if event.text == "removed bo" { break }
        }
        #expect(recorded == ["changed ada", "removed bo"])
    }

    @Test func `A removed card is a person who is gone`() async throws {
        #expect(try await events(until: "removed") { try book.remove("bo.vcf") }.texts == ["removed bo"])
    }

    @Test func `A file that is written again with equal bytes is no change`() async throws {
        let events = try await events(until: "removed", "changed") {
            try book.replace(SmallBook.card("ada", photo: SmallBook.inline(1)), in: "ada.vcf")
            try book.remove("bo.vcf")
        }
        #expect(events.texts == ["removed bo"])
    }

    @Test func `A renamed file is the same person`() async throws {
        let events = try await events(until: "removed", "changed") {
            try book.replace(SmallBook.card("ada", photo: SmallBook.inline(1)), in: "zoe.vcf")
            try book.remove("ada.vcf")
            try book.remove("bo.vcf")
        }
        #expect(events.texts == ["removed bo"])
    }

    @Test func `Cards in a new sub-folder are seen`() async throws {
        let events = try await events(until: "avatar") {
            try book.write(SmallBook.card("cy", photo: SmallBook.inline(3)), to: "work/cy.vcf")
        }
        #expect(events.texts == ["changed cy", "avatar cy rendered"])
    }

    @Test func `A picture beside the cards that is replaced is drawn again`() async throws {
        try book.folder.write(SmallBook.image(5), to: "book/cy.png")
        try book.write(SmallBook.card("cy", photo: ";VALUE=uri:cy.png"), to: "cy.vcf")
        let events = try await events(until: "avatar") {
            try book.folder.write(SmallBook.image(6), to: "book/cy.png")
        }
        #expect(events.texts == ["avatar cy rendered"])
    }

    @Test func `A card that becomes broken is reported, and its contact is removed`() async throws {
        let events = try await events(until: "broken") {
            try book.replace("BEGIN:VCARD\r\nFN:A\r\n", in: "ada.vcf")
        }
        #expect(events.texts == ["removed ada", "broken ada.vcf:1 contact-malformed"])
    }

    @Test func `A group that appears changes its members`() async throws {
        let group = "BEGIN:VCARD\r\nVERSION:4.0\r\nKIND:group\r\nFN:Club\r\nMEMBER:bo\r\nEND:VCARD\r\n"
        let events = try await events(until: "changed") { try book.replace(group, in: "club.vcf") }
        #expect(events.texts == ["changed bo"])
    }

    @Test func `A book's folder that is removed leaves its contacts, and one that is put back is watched again`()
        async throws
    {
        var (texts, isLoaded) = ([String](), false)
        for try await event in book.loader(isWatching: true).events() {
            if isLoaded { texts.append(event.text) }
            if case .finished = event {
                isLoaded = true
                try book.folder.move("book", to: "elsewhere")
            }
            if case .contactFailed = event {
                try book.folder.write(Array(SmallBook.card("cy").utf8), to: "elsewhere/cy.vcf")
                try book.folder.move("elsewhere", to: "book")
            }
            if event.text == "changed cy" { try book.replace(SmallBook.card("dee"), in: "dee.vcf") }
            if event.text == "changed dee" { break }
        }
        #expect(
            texts.filter { !$0.hasPrefix("avatar") } == [
                "broken \(book.path):0 book-unreadable", "changed cy", "changed dee",
            ])
    }
}

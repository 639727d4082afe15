import CLinux
import Foundation
import Glibc
import SystemPackage
import Testing
import TondoTestSupport

@testable import TondoAvatars

/// Files of a book that come back, or become others, without an event that names them. Each test waits for an event that
/// the loader has to send; a change that is missed hangs into the time limit.
@Suite(.timeLimit(.minutes(15))) struct ReappearingFilesTests {
    private let book: SmallBook

    init() throws {
        book = try SmallBook()
        try book.write(SmallBook.card("ada", photo: SmallBook.inline(1)), to: "ada.vcf")
    }

    private func exchange(_ one: String, _ other: String) {
        let (one, other) = (book.path.appending(one).string, book.path.appending(other).string)
        #expect(clinux_rename_exchange(AT_FDCWD, one, AT_FDCWD, other) == 0)
    }

    /// Events after the load, until the one that is the last of `steps`. Each step: an event that is waited for, and what
    /// is done then; the first is done after the load.
    private func events(
        _ file: String? = nil, first: () throws -> Void, then steps: [(String, () throws -> Void)] = [],
        until last: String
    ) async throws -> [String] {
        var (texts, isLoaded, steps) = ([String](), false, steps[...])
        for try await event in book.loader(isWatching: true, file).events() {
            if isLoaded { texts.append(event.text) }
            if case .finished = event {
                isLoaded = true
                try first()
            }
            if isLoaded, let step = steps.first, event.text == step.0 {
                steps.removeFirst()
                try step.1()
            } else if isLoaded, steps.isEmpty, event.text == last {
                break
            }
        }
        return texts
    }

    @Test func `A contact of a file with two names stays when one name goes`() async throws {
        try FileManager.default.linkItem(atPath: book.path.string + "/ada.vcf", toPath: book.path.string + "/zoe.vcf")
        let texts = try await events(
            first: {
                try book.remove("ada.vcf")
                try book.replace(SmallBook.card("dee"), in: "dee.vcf")
            }, until: "changed dee")
        #expect(!texts.contains { $0.hasPrefix("removed") })
    }

    @Test func `Contacts of two folders that are exchanged stay, and are followed`() async throws {
        try book.write(SmallBook.card("bo"), to: "a/1.vcf")
        try book.write(SmallBook.card("cy"), to: "b/2.vcf")
        let texts = try await events(
            first: {
                exchange("a", "b")
                try book.replace(SmallBook.card("dee"), in: "dee.vcf")
            }, then: [("changed dee", { try addAtOnce("eve", as: "book/b/3.vcf") })],
            until: "changed eve")
        #expect(!texts.contains { $0.hasPrefix("removed") })
    }

    @Test func `A JSON book that a last card had hidden is read when that goes`() async throws {
        let json = #"{"contacts":[{"firstname":"Json","phone_number":"1","photo_url":null}]}"#
        try book.write(json, to: "book.json")
        let id = try #require(try ReadBook(book.path.appending("book.json")).contents.contacts.first?.id)
        let texts = try await events(first: { try book.remove("ada.vcf") }, until: "changed \(id)")
        #expect(texts == ["removed ada", "changed \(id)"])
    }

    @Test func `A picture in two sizes beside a JSON book stays after another file changes`() async throws {
        try book.remove("ada.vcf")
        let json = #"{"contacts":[{"firstname":"Json","phone_number":"1","photo_url":"cy.png"}]}"#
        try book.write(json, to: "book.json")
        try book.folder.write(SmallBook.image(5), to: "book/cy@2x.png")
        let id = try #require(try ReadBook(book.path).contents.contacts.first?.id)
        let texts = try await events(
            first: { try book.folder.write(SmallBook.image(6), to: "book/cy@2x.png") },
            until: "avatar \(id) rendered")
        #expect(texts == ["avatar \(id) rendered"])
    }

    @Test func `A photo that is a link is drawn again when its end is written`() async throws {
        try book.folder.write(SmallBook.image(5), to: "book/.store/cy.png")
        try book.folder.link("book/cy.png", to: ".store/cy.png")
        try book.write(SmallBook.card("cy", photo: ";VALUE=uri:cy.png"), to: "cy.vcf")
        let texts = try await events(
            first: { try book.folder.write(SmallBook.image(6), to: "book/.store/cy.png") },
            until: "avatar cy rendered")
        #expect(texts == ["avatar cy rendered"])
    }

    @Test func `A book file behind a link is read again when it is written`() async throws {
        try book.folder.write(Array(SmallBook.card("bo").utf8), to: "real.vcf")
        try book.folder.link("book/linked.vcf", to: "../real.vcf")
        let texts = try await events(
            "linked.vcf",
            first: { try book.folder.write(Array((SmallBook.card("bo") + SmallBook.card("cy")).utf8), to: "real.vcf") },
            until: "avatar cy cache")
        #expect(texts == ["changed cy", "avatar cy cache"])
    }

    @Test func `A photo in a linked folder is drawn again when it is written`() async throws {
        try book.folder.write(SmallBook.image(5), to: "book/.store/cy.png")
        try book.folder.link("book/photos", to: ".store")
        try book.write(SmallBook.card("cy", photo: ";VALUE=uri:photos/cy.png"), to: "cy.vcf")
        let texts = try await events(
            first: { try book.folder.write(SmallBook.image(6), to: "book/.store/cy.png") },
            until: "avatar cy rendered")
        #expect(texts == ["avatar cy rendered"])
    }

    @Test func `Cards behind a hidden link that is exchanged are read again, as Kubernetes exchanges them`()
        async throws
    {
        for (version, name) in [("..1", "bo"), ("..2", "cy")] {
            try book.write(SmallBook.card(name), to: "\(version)/card.vcf")
        }
        try book.folder.link("book/..data", to: "..1")
        try book.folder.link("book/card.vcf", to: "..data/card.vcf")
        let texts = try await events(
            first: {
                try book.folder.link("book/..new", to: "..2")
                #expect(rename(book.path.string + "/..new", book.path.string + "/..data") == 0)
            }, then: [("removed bo", {})], until: "changed cy")
        #expect(texts == ["removed bo", "changed cy"])
    }

    /// A pass that still runs would find an empty file, if it were written there.
    private func addAtOnce(_ name: String, as file: String) throws {
        try book.folder.write(Array(SmallBook.card(name).utf8), to: "new.vcf")
        try book.folder.move("new.vcf", to: file)
    }

    @Test func `A book that is reached by a link is read anew when the link is exchanged`() async throws {
        try book.folder.write(Array(SmallBook.card("bo").utf8), to: "second/bo.vcf")
        try book.folder.move("book", to: "first")
        try book.folder.link("book", to: "first")
        let texts = try await events(
            first: {
                try book.folder.link("new", to: "second")
                #expect(rename(book.folder.path.string + "/new", book.path.string) == 0)
            },
            then: [("changed bo", { try addAtOnce("cy", as: "second/cy.vcf") })], until: "changed cy")
        #expect(texts.filter { !$0.hasPrefix("avatar") } == ["removed ada", "changed bo", "changed cy"])
    }

    @Test func `On everything each photo file is looked at again`() async throws {
        try book.folder.write(SmallBook.image(5), to: "book/cy.png")
        try book.write(SmallBook.card("cy", photo: ";VALUE=uri:cy.png"), to: "cy.vcf")
        let read = try ReadBook(book.path)
        let contact = try #require(read.contents.contacts.first { $0.id == "cy" })
        #expect(read.photos.mayHaveChanged(of: contact, .all))
        #expect(!read.photos.mayHaveChanged(of: contact, .none))
    }
}

@Suite struct TouchedFilesTests {
    @Test func `A file is touched by its own path and by a link above it`() {
        let touched = TouchedFiles(["ada.vcf", "family"])
        #expect(touched.contains("ada.vcf") && touched.contains("family/home/bo.vcf"))
        #expect(!touched.contains("bo.vcf") && !touched.contains("family2/bo.vcf") && !touched.isEmpty)
    }

    @Test func `Everything touches all, and nothing none`() {
        #expect(
            TouchedFiles.all.contains("a") && TouchedFiles.all.containsAny(named: ["a"]) && !TouchedFiles.all.isEmpty)
        #expect(!TouchedFiles.none.contains("a") && TouchedFiles.none.isEmpty)
    }
}

@Suite struct ReservedDescriptorsTests {
    @Test func `Spare descriptors are free while they are lent, and held again afterwards`() throws {
        let reserved = ReservedDescriptors(count: 3)
        let during = reserved.lend { Self.open(reserved) }
        #expect(during == 0 && Self.open(reserved) == 3)
    }

    private static func open(_ reserved: ReservedDescriptors) -> Int { reserved.heldCount }
}

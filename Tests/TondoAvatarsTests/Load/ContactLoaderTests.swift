import Synchronization
import SystemPackage
import Testing
import TondoCache
import TondoTestSupport

@testable import TondoAvatars

@Suite struct ContactLoaderTests {
    private let book: SmallBook

    init() throws { book = try SmallBook() }

    @Test func `The total comes first, then people in the book's order, and the end last`() async throws {
        for name in ["bo", "ada", "cy"] { try book.write(SmallBook.card(name), to: "\(name).vcf") }
        let events = try await book.load()
        #expect(events.texts.first == "total 3")
        #expect(events.texts.filter { $0.hasPrefix("contact") } == ["contact 0 ada", "contact 1 bo", "contact 2 cy"])
        #expect(events.texts.last == "finished")
    }

    @Test func `A person comes before the person's faces`() async throws {
        for shade in 1...20 as ClosedRange<UInt8> {
            try book.write(SmallBook.card("p\(shade)", photo: SmallBook.inline(shade)), to: "p\(shade).vcf")
        }
        let texts = try await book.load().texts
        for shade in 1...20 {
            let contact = texts.firstIndex { $0.hasPrefix("contact") && $0.hasSuffix(" p\(shade)") }
            let avatar = texts.firstIndex { $0.hasPrefix("avatar p\(shade) ") }
            #expect((contact ?? 99) < (avatar ?? -1), "p\(shade)")
        }
    }

    @Test func `Every contact has an avatar in every style, from one decode`() async throws {
        try book.write(SmallBook.card("ada", photo: SmallBook.inline(9)), to: "ada.vcf")
        try book.write(SmallBook.card("bo"), to: "bo.vcf")
        let styles = [AvatarStyle(size: 16, isSelectable: true), AvatarStyle("large", size: 24, scale: 2)]
        let events = try await book.load(styles)
        let avatars = events.compactMap(\.avatar)
        #expect(avatars.filter { $0.contact == "ada" }.map(\.style) == ["16", "large"])
        #expect(avatars.filter { $0.contact == "bo" }.map(\.scale) == [1, 2])
        #expect(events.last?.summary?.avatars == 4)
    }

    @Test func `A second load draws nothing and gives the same pictures`() async throws {
        try book.write(SmallBook.card("ada", photo: SmallBook.inline(9)) + SmallBook.card("bo"), to: "two.vcf")
        let first = try await book.load()
        let second = try await book.load()
        #expect(first.last?.summary?.rendered == 2)
        #expect(second.last?.summary?.rendered == 0 && second.last?.summary?.cached == 2)
        #expect(first.keys == second.keys)
    }

    @Test func `Every contact without a photo gets the same neutral avatar`() async throws {
        try book.write((0..<5).map { SmallBook.card("p\($0)") }.joined(), to: "five.vcf")
        let events = try await book.load()
        #expect(events.keys.count == 5 && Set(events.keys.values).count == 1)
        #expect(events.last?.summary?.failed == 0)
    }

    @Test func `A broken photo is reported and replaced by the placeholder`() async throws {
        try book.write(SmallBook.card("ada", photo: ";ENCODING=b:/9j/4AAQSkZJRg=="), to: "ada.vcf")
        try book.write(SmallBook.card("bo"), to: "bo.vcf")
        let events = try await book.load()
        #expect(events.texts.contains("failed ada truncated"))
        #expect(events.keys["ada"] == events.keys["bo"])
        #expect(events.last?.summary?.failed == 1)
    }

    @Test func `A photo on the net is not fetched`() async throws {
        try book.write(SmallBook.card("ada", photo: ";VALUE=uri:https://example.org/ada.jpg"), to: "ada.vcf")
        #expect(try await book.load().texts.contains("failed ada remoteNotAllowed"))
    }

    @Test func `A photo outside the book's folder is not read`() async throws {
        try book.folder.write(SmallBook.image(1), to: "secret.png")
        try book.write(SmallBook.card("ada", photo: ";VALUE=uri:../secret.png"), to: "ada.vcf")
        try book.folder.link("book/link.png", to: "../secret.png")
        try book.write(SmallBook.card("bo", photo: ";VALUE=uri:link.png"), to: "bo.vcf")
        let texts = try await book.load().texts
        #expect(texts.contains("failed ada photo-outside") && texts.contains("failed bo photo-outside"))
    }

    @Test func `One broken card is reported with its file and line, and the rest is loaded`() async throws {
        try book.write(
            SmallBook.card("ada") + "BEGIN:VCARD\r\nVERSION:3.0\r\n" + SmallBook.card("bo"), to: "some.vcf")
        let events = try await book.load()
        #expect(events.texts.first == "total 3")
        #expect(events.texts.contains("broken some.vcf:6 contact-malformed"))
        #expect(events.last?.summary?.contacts == 2)
    }

    @Test func `A file that is no book fails alone`() async throws {
        try book.write("nothing\n", to: "a.vcf")
        try book.write(SmallBook.card("bo"), to: "b.vcf")
        let texts = try await book.load().texts
        #expect(texts.contains("broken a.vcf:0 book-unknown") && texts.contains("contact 0 bo"))
    }

    @Test func `A book that is not there throws`() async throws {
        await #expect(throws: LoadError.self) { _ = try await book.load([AvatarStyle(size: 16)], "nobody.vcf") }
    }

    @Test func `Two with the same photo share the entry and are both noted in it`() async throws {
        try book.write(SmallBook.card("ada", photo: SmallBook.inline(9)), to: "ada.vcf")
        try book.write(SmallBook.card("bo", photo: SmallBook.inline(9)), to: "bo.vcf")
        let events = try await book.load()
        #expect(events.keys["ada"] == events.keys["bo"])
        let key = try #require(CacheKey(events.keys["ada"] ?? ""))
        let hit = try #require(book.cache.lookup(key))
        let avatar = try #require(try book.cache.read(hit))
        #expect(avatar.shows("ada") && avatar.shows("bo"))
    }

    @Test func `A face's address leads to its picture in the cache`() async throws {
        try book.write(SmallBook.card("ada", photo: SmallBook.inline(9)), to: "ada.vcf")
        let avatar = try #require(try await book.load().compactMap(\.avatar).first)
        let key = try #require(CacheKey(avatar.key))
        #expect(avatar.url == "file://" + book.cache.file(of: key).string)
    }

    @Test func `Leaving the loop cancels the load`() async throws {
        try book.write((0..<2000).map { SmallBook.card("p\($0)") }.joined(), to: "many.vcf")
        let loader = book.loader()
        for try await _ in loader.events() { break }
        #expect(try await book.load().last?.summary?.contacts == 2000)
    }

    @Test func `After cancelling no event follows`() async throws {
        try book.write((0..<2000).map { SmallBook.card("p\($0)") }.joined(), to: "many.vcf")
        let loader = book.loader()
        var last: [String] = []
        for try await event in loader.events() {
            last.append(event.text)
            if last.count == 10 { loader.cancel() }
        }
        // Events that were on their way already are delivered.
        #expect(last.count < 1000 && !last.contains("finished"))
    }

    @Test func `Numbers grow with every event`() async throws {
        try book.write((0..<50).map { SmallBook.card("p\($0)") }.joined(), to: "many.vcf")
        let loader = book.loader()
        let numbers = await withCheckedContinuation { (done: CheckedContinuation<[UInt64], Never>) in
            let seen = Mutex<[UInt64]>([])
            loader.load { recorded in
                if let recorded {
                    seen.withLock { $0.append(recorded.number) }
                } else {
                    done.resume(returning: seen.withLock { $0 })
                }
            } failed: { _ in
                done.resume(returning: [])
            }
        }
        #expect(numbers.count == 102 && numbers == numbers.sorted() && Set(numbers).count == 102)
    }

    @Test func `Without a cache faces are drawn, and lie nowhere`() async throws {
        try book.write(SmallBook.card("ada", photo: SmallBook.inline(9)), to: "ada.vcf")
        let loader = ContactLoader(
            book.path, styles: [AvatarStyle(size: 16)], pipeline: AvatarPipeline(cache: nil))
        var avatars: [PreparedAvatar] = []
        for try await event in loader.events() { avatars += [event.avatar].compactMap { $0 } }
        #expect(avatars.map(\.contact) == ["ada"] && avatars.map(\.url) == [nil])
    }
}

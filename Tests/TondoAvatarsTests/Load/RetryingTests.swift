import Dispatch
import Synchronization
import SystemPackage
import Testing
import TondoCache
import TondoContacts
import TondoFiles
import TondoJobs
import TondoTestSupport

@testable import TondoAvatars

/// Every load here has one worker and a queue with room for one job.
@Suite(.timeLimit(.minutes(15))) struct RetryingTests {
    private let book: SmallBook
    private let time = ManualTime()
    private let watch = ManualWatch()

    init() throws { book = try SmallBook() }

    /// `openings`: what each try to open a photo throws, in their order; nil: nothing. Later ones throw nothing.
    private func loader(
        _ file: String? = nil, isWatching: Bool = false, openings: [(any Error)?] = [], isTimely: Bool = true
    ) -> ContactLoader {
        var options = AvatarPipeline.Options()
        (options.queue.workers, options.queue.depth, options.queue.room) = (1, 1, 1)
        let errors = Mutex(openings[...])
        options.system.opening = {
            if let error = errors.withLock({ $0.popFirst() }) ?? nil { throw error }
        }
        options.system.after = { [time] in isTimely && $0 < .seconds(1) ? $1() : time.add($0, $1) }
        options.system.watching = watch.source
        return ContactLoader(
            file.map { book.path.appending($0) } ?? book.path, styles: [AvatarStyle(size: 16)],
            pipeline: AvatarPipeline(cache: book.cache, options), isWatching: isWatching)
    }

    private func load(_ loader: ContactLoader) async throws -> [LoaderEvent] {
        var events: [LoaderEvent] = []
        for try await event in loader.events() { events.append(event) }
        return events
    }

    private static let shortage = FileError(.read, path: "ada.jpg", errno: .tooManyOpenFiles)

    @Test func `A load whose photos are all broken ends`() async throws {
        for index in 0..<60 {
            let broken = CutPhoto.bytes.prefix(2) + [0xFF, 0xFE, 0, 3, UInt8(index)] + CutPhoto.bytes.dropFirst(2)
            try book.write(
                SmallBook.card("p\(index)", photo: SmallBook.inline(jpeg: Array(broken))), to: "\(index).vcf")
        }
        let events = try await load(loader())
        #expect(events.count { $0.text.hasPrefix("failed") } == 60)
        #expect(events.keys.count == 60 && Set(events.keys.values).count == 1)
        #expect(events.last?.summary?.failed == 60 && events.last?.summary?.avatars == 60)
    }

    @Test func `Running out of descriptors for a moment marks no contact as failed`() async throws {
        for index in 0..<10 as Range<UInt8> {
            try book.write(SmallBook.card("p\(index)", photo: SmallBook.inline(index)), to: "\(index).vcf")
        }
        let errors: [(any Error)?] = (0..<6).map { $0 % 2 == 0 ? Self.shortage : nil }
        let events = try await load(loader(openings: errors))
        #expect(!events.texts.contains { $0.hasPrefix("failed") })
        #expect(Set(events.keys.values).count == 10 && events.last?.summary?.failed == 0)
        #expect(try book.cache.failures().isEmpty)
    }

    @Test func `The end of a load waits for the tries that come soon`() async throws {
        try book.write(SmallBook.card("ada", photo: SmallBook.inline(1)), to: "ada.vcf")
        var texts: [String] = []
        let loader = loader(openings: [Self.shortage, Self.shortage], isTimely: false)
        async let first = time.passNext()
        async let second = time.passNext()
        for try await event in loader.events() { texts.append(event.text) }
        #expect(texts == ["total 1", "contact 0 ada", "avatar ada rendered", "finished"])
        #expect(await [first, second].sorted() == [.milliseconds(100), .milliseconds(200)])
    }

    @Test func `What keeps failing gets the placeholder, and its avatar after a back-off`() async throws {
        try book.write(SmallBook.card("ada", photo: SmallBook.inline(1)), to: "ada.vcf")
        let failures = (0..<6).map { _ in Self.shortage }
        var (texts, delays) = ([String](), [Duration]())
        for try await event in loader(isWatching: true, openings: failures).events() {
            texts.append(event.text)
            if case .finished(let summary) = event {
                #expect(summary.failed == 1 && summary.avatars == 1)
                for _ in 0..<3 { delays.append(await time.passNext()) }
            }
            if case .avatar(let avatar) = event, texts.contains("finished") {
                #expect(avatar.tally == AvatarTally(failed: -1))
                break
            }
        }
        #expect(
            texts == [
                "total 1", "contact 0 ada", "failed ada file-read", "avatar ada rendered", "finished",
                "avatar ada rendered",
            ])
        #expect(delays == [.seconds(1), .seconds(2), .seconds(4)])
    }

    @Test func `A photo that moved in its file while it was loaded is drawn when the book names it next`() async throws
    {
        let cards = (1...4 as ClosedRange<UInt8>).map { SmallBook.card("p\($0)", photo: SmallBook.inline($0)) }
        try book.write(cards.joined(), to: "book.vcf")
        let isMoved = Mutex(false)
        var options = AvatarPipeline.Options()
        (options.queue.workers, options.queue.depth, options.queue.room) = (1, 1, 1)
        options.system.after = { [time] in $0 < .seconds(1) ? $1() : time.add($0, $1) }
        options.system.watching = watch.source
        options.system.opening = { [book] in
            // Under the lock, so that no photo is opened before.
            try isMoved.withLock { isMoved in
                if !isMoved { try book.replace(SmallBook.card("new") + cards.joined(), in: "book.vcf") }
                isMoved = true
            }
        }
        let loader = ContactLoader(
            book.path.appending("book.vcf"), styles: [AvatarStyle(size: 16)],
            pipeline: AvatarPipeline(cache: book.cache, options), isWatching: true)
        var (events, wanted) = ([LoaderEvent](), Set(["p1", "p2", "p3", "p4"]))
        for try await event in loader.events() {
            events.append(event)
            if case .finished(let summary) = event {
                #expect(summary.failed == 4)
                watch.send(.files(["book.vcf"]))
            }
            if let avatar = event.avatar, events.texts.contains("finished") { wanted.remove(avatar.contact) }
            if wanted.isEmpty { break }
        }
        #expect(events.texts.count { $0.hasSuffix("photo-changed") } == 4)
        #expect(Set(["p1", "p2", "p3", "p4"].compactMap { events.keys[$0] }).count == 4)
        #expect(wanted.isEmpty)
    }

    @Test func `A contact that is replaced while its photo waits for another try is reported once`() async throws {
        try book.write(SmallBook.card("ada", photo: SmallBook.inline(1)), to: "ada.vcf")
        try book.write(SmallBook.card("bo"), to: "bo.vcf")
        var texts: [String] = []
        let failures: [(any Error)?] = [nil] + (0..<4).map { _ in Self.shortage }
        for try await event in loader(isWatching: true, openings: failures).events() {
            texts.append(event.text)
            if event.text == "finished" {
                try book.replace(SmallBook.card("ada", photo: SmallBook.inline(2)), in: "ada.vcf")
                watch.send(.files(["ada.vcf"]))
            }
            if event.text == "failed ada file-read" {
                try book.replace(SmallBook.card("ada", photo: SmallBook.inline(3)), in: "ada.vcf")
                watch.send(.files(["ada.vcf"]))
            }
            if texts.suffix(2) == ["changed ada", "avatar ada rendered"] {
                // The back-off of the photo that was replaced.
                _ = await time.passNext()
                try book.remove("bo.vcf")
                watch.send(.files(["bo.vcf"]))
            }
            if event.text == "removed bo" { break }
        }
        #expect(
            texts.drop { $0 != "finished" } == [
                "finished", "changed ada", "failed ada file-read", "avatar ada cache", "changed ada",
                "avatar ada rendered", "removed bo",
            ])
    }

    @Test func `When anything may have changed, a photo file that was replaced is drawn again`() async throws {
        try book.folder.write(SmallBook.image(1), to: "book/ada.png")
        try book.write(SmallBook.card("ada", photo: ";VALUE=uri:ada.png"), to: "ada.vcf")
        var texts: [String] = []
        for try await event in loader(isWatching: true).events() {
            texts.append(event.text)
            if event.text == "finished" {
                try book.replace(SmallBook.image(2), in: "ada.png")
                watch.send(.everything)
            }
            if texts.last == "avatar ada rendered", texts.contains("finished") { break }
        }
        #expect(texts.suffix(2) == ["finished", "avatar ada rendered"])
    }

    @Test func `A load that is cancelled while photos wait for another try ends`() async throws {
        try book.write(SmallBook.card("ada", photo: SmallBook.inline(1)), to: "ada.vcf")
        let loader = loader(openings: [Self.shortage], isTimely: false)
        let ended = DispatchSemaphore(value: 0)
        loader.load {
            if $0 == nil { ended.signal() }
        } failed: { _ in
        }
        await time.waitForOne()
        loader.cancel()
        await withCheckedContinuation { done in
            DispatchQueue.global().async {
                ended.wait()
                done.resume()
            }
        }
    }
}

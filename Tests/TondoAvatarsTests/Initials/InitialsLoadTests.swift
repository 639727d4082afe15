import Foundation
import Synchronization
import SystemPackage
import Testing
import TondoContacts
import TondoFiles
import TondoImage
import TondoJobs

@testable import TondoAvatars

/// Every load here has one worker, a queue with room for one job, and coloured squares for letters.
@Suite(.timeLimit(.minutes(15))) struct InitialsLoadTests {
    private let book: SmallBook
    private let time = ManualTime()
    private let watch = ManualWatch()

    init() throws { book = try SmallBook() }

    /// `square`: the picture for letters. `opening`: called when a photo or letters are opened. Delays of a second and more last until `time` passes.
    private func loader(
        _ square: @escaping @Sendable (String, InitialsColors) -> [UInt8] = Self.square,
        isWatching: Bool = false, opening: (@Sendable () throws -> Void)? = nil,
        warn: @escaping @Sendable (String) -> Void = { _ in }
    ) -> ContactLoader {
        var options = AvatarPipeline.Options()
        if let opening { options.system.opening = opening }
        options.system.after = { [time] in $0 < .seconds(1) ? $1() : time.add($0, $1) }
        options.system.watching = watch.source
        (options.queue.workers, options.queue.depth, options.queue.room) = (1, 1, 1)
        let folder = book.path.removingLastComponent()
        options.initials = InitialsPhotos(rule: .tondo, onUnavailable: warn) { letters, colors in
            let bytes = square(letters, colors)
            if opening == nil { return .bytes(PhotoFile(copying: bytes)) }
            // Only files are opened. Written once: one that changes while it is read fails.
            let path = folder.appending("letters-\(letters)-\(colors.background.hexadecimal)")
            if !FileManager.default.fileExists(atPath: path.string) {
                try? Data(bytes).write(to: URL(filePath: path.string), options: .atomic)
            }
            return .file(path)
        }
        return ContactLoader(
            book.path, styles: [AvatarStyle(size: 16)], pipeline: AvatarPipeline(cache: book.cache, options),
            isWatching: isWatching)
    }

    private static func square(_ letters: String, _ colors: InitialsColors) -> [UInt8] {
        let shade = letters.utf8.reduce(colors.background.red) { $0 &* 31 &+ $1 }
        return SmallBook.image(shade)
    }

    private func load(_ loader: ContactLoader) async throws -> [LoaderEvent] {
        var events: [LoaderEvent] = []
        for try await event in loader.events() { events.append(event) }
        return events
    }

    private func kinds(_ events: [LoaderEvent]) -> [String: PreparedAvatar.Kind] {
        let avatars = events.compactMap(\.avatar)
        return Dictionary(avatars.map { ($0.contact, $0.kind) }, uniquingKeysWith: { _, last in last })
    }

    private static let broken = ";ENCODING=b;TYPE=JPEG:AAAA"

    @Test func `Each contact gets its photo, its initials or the silhouette`() async throws {
        try book.write(SmallBook.card("ada", photo: SmallBook.inline(1)), to: "ada.vcf")
        try book.write(SmallBook.card("bo"), to: "bo.vcf")
        try book.write("BEGIN:VCARD\nVERSION:3.0\nUID:x\nTEL:+46 1 23\nEND:VCARD\n", to: "x.vcf")
        let events = try await load(loader())
        #expect(kinds(events) == ["ada": .photo, "bo": .initials, "x": .silhouette])
        #expect(events.last?.summary?.avatars == 3 && events.last?.summary?.failed == 0)
    }

    @Test func `Contacts with other letters have other avatars, and a second load has them from the cache`()
        async throws
    {
        for name in ["ada", "bo", "cy"] { try book.write(SmallBook.card(name), to: "\(name).vcf") }
        let keys = try await load(loader()).keys
        #expect(keys.count == 3 && Set(keys.values).count == 3)
        let events = try await load(loader())
        #expect(events.keys == keys && events.last?.summary?.cached == 3)
    }

    @Test func `Broken photos end in one failure and one avatar each`() async throws {
        for index in 0..<60 { try book.write(SmallBook.card("p\(index)", photo: Self.broken), to: "\(index).vcf") }
        let events = try await load(loader())
        #expect(events.count { $0.text.hasPrefix("failed") } == 60 && events.compactMap(\.avatar).count == 60)
        #expect(Set(kinds(events).values) == [.initials] && events.last?.summary?.failed == 60)
    }

    @Test func `What no program draws is a silhouette, with one warning and no failure`() async throws {
        for index in 0..<30 { try book.write(SmallBook.card("p\(index)"), to: "\(index).vcf") }
        let warnings = Mutex<[String]>([])
        let events = try await load(
            loader { _, _ in
                Array("no picture".utf8)
            } warn: { text in
                warnings.withLock { $0.append(text) }
            })
        #expect(Set(kinds(events).values) == [.silhouette] && events.compactMap(\.avatar).count == 30)
        #expect(!events.contains { $0.text.hasPrefix("failed") } && events.last?.summary?.failed == 0)
        #expect(warnings.withLock { $0.count } == 1)
    }

    @Test func `Letters that cannot be drawn are a silhouette without a warning`() async throws {
        for name in ["ada", "bo"] { try book.write(SmallBook.card(name), to: "\(name).vcf") }
        let warnings = Mutex(0)
        let events = try await load(
            loader { letters, colors in
                letters == "A" ? Array(Self.square(letters, colors).prefix(50)) : Self.square(letters, colors)
            } warn: { _ in
                warnings.withLock { $0 += 1 }
            })
        #expect(kinds(events) == ["ada": .silhouette, "bo": .initials] && warnings.withLock { $0 } == 0)
    }

    /// What each opening throws, in their order; nil: nothing. Later ones throw nothing.
    private static func failing(_ openings: [(any Error)?]) -> @Sendable () throws -> Void {
        let errors = Mutex(openings[...])
        return { if let error = errors.withLock({ $0.popFirst() }) ?? nil { throw error } }
    }

    private static let shortage = FileError(.read, path: "letters", errno: .tooManyOpenFiles)

    @Test func `Initials that fail for a moment are drawn before the load ends`() async throws {
        try book.write(SmallBook.card("ada"), to: "ada.vcf")
        let events = try await load(loader(opening: Self.failing([Self.shortage, Self.shortage])))
        #expect(events.texts == ["total 1", "contact 0 ada", "avatar ada rendered", "finished"])
        #expect(kinds(events) == ["ada": .initials])
    }

    /// The silhouette stands for them meanwhile. `photo`: the first openings are its own.
    @Test(arguments: ["", InitialsLoadTests.broken])
    func `Initials that keep failing are drawn after a back-off`(photo: String) async throws {
        try book.write(SmallBook.card("ada", photo: photo), to: "ada.vcf")
        // One for the photo, then four for the initials of the load, two for later tries.
        let own: [(any Error)?] = photo.isEmpty ? [] : [nil]
        let openings = own + (0..<6).map { _ in Self.shortage }
        var (found, delays) = ([PreparedAvatar.Kind](), [Duration]())
        var events: [LoaderEvent] = []
        for try await event in loader(isWatching: true, opening: Self.failing(openings)).events() {
            events.append(event)
            if let avatar = event.avatar { found.append(avatar.kind) }
            if event.summary != nil { for _ in 0..<3 { delays.append(await time.passNext()) } }
            if found.last == .initials { break }
        }
        #expect(found == [.silhouette, .initials])
        #expect(delays == [.seconds(1), .seconds(2), .seconds(4)])
        #expect(events.count { $0.text.hasPrefix("failed") } == (photo.isEmpty ? 0 : 1))
    }

    /// Its photo and its initials fail again and again; then only its photo does.
    @Test func `Initials are drawn later, although the photo goes on failing`() async throws {
        try book.write(SmallBook.card("ada", photo: SmallBook.inline(1)), to: "ada.vcf")
        // Four for the photo, four for the initials of the load; a later try of both; a last one of the photo.
        let openings = (0..<11).map { _ in Self.shortage }
        var (found, delays) = ([PreparedAvatar.Kind](), [Duration]())
        var events: [LoaderEvent] = []
        for try await event in loader(isWatching: true, opening: Self.failing(openings)).events() {
            events.append(event)
            if let avatar = event.avatar { found.append(avatar.kind) }
            if event.summary != nil { for _ in 0..<2 { delays.append(await time.passNext()) } }
            if found.last == .initials { break }
        }
        #expect(found == [.silhouette, .initials] && delays == [.seconds(1), .seconds(2)])
        #expect(events.count { $0.text.hasPrefix("failed") } == 1)
    }

    @Test func `Initials of many contacts that all fail at first are drawn once each`() async throws {
        for index in 0..<40 { try book.write(SmallBook.card("p\(index)"), to: "\(index).vcf") }
        let isShort = Mutex(true)
        let opening = { @Sendable in if isShort.withLock({ $0 }) { throw Self.shortage } }
        var (kinds, passed) = ([String: [PreparedAvatar.Kind]](), false)
        for try await event in loader(isWatching: true, opening: opening).events() {
            if let avatar = event.avatar { kinds[avatar.contact, default: []].append(avatar.kind) }
            if event.summary != nil, !passed {
                passed = true
                isShort.withLock { $0 = false }
                for _ in 0..<40 { #expect(await time.passNext() == .seconds(1)) }
            }
            if kinds.values.allSatisfy({ $0.last == .initials }), kinds.count == 40 { break }
        }
        #expect(kinds.values.allSatisfy { $0 == [.silhouette, .initials] })
    }

    @Test func `A load that is cancelled while initials are drawn ends`() async throws {
        for index in 0..<200 { try book.write(SmallBook.card("p\(index)"), to: "\(index).vcf") }
        for try await event in loader().events() where event.avatar != nil { break }
    }

    @Test func `Without initials every contact without a photo has the silhouette`() async throws {
        for name in ["ada", "bo"] { try book.write(SmallBook.card(name), to: "\(name).vcf") }
        let events = try await book.load()
        #expect(Set(kinds(events).values) == [.silhouette] && Set(events.keys.values).count == 1)
    }
}

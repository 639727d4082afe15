import Foundation
import Testing
import TondoRender
import TondoTestSupport

@testable import TondoAvatars

/// Loads whose workers other processes end at random. Without a limit of time, since `TONDO_WORKER_KILLS` says how many they are:
/// 10,000 take some minutes.
@Suite struct KilledLoadTests {
    private let book: SmallBook

    init() throws { book = try SmallBook() }

    private func add(_ id: String, name: String? = nil, photo: [UInt8]? = nil) throws {
        let photo = photo.map { "PHOTO;ENCODING=b:" + Data($0).base64EncodedString() }
        let lines = ["BEGIN:VCARD", "VERSION:3.0", "UID:\(id)", "FN:\(name ?? "Ada Okafor")", photo, "END:VCARD", ""]
        try book.write(lines.compactMap { $0 }.joined(separator: "\r\n"), to: id + ".vcf")
    }

    /// Workers of all kinds, one at a time; each load has an empty cache.
    @Test func `However often workers of any kind are killed, each contact has the avatar that it should have`()
        async throws
    {
        for format in AnyFormat.allCases {
            for index in 0..<4 { try add("\(format)-\(index)", photo: format.bytes + [UInt8(index)]) }
        }
        for index in 0..<20 { try add("letters-\(index)", name: "\(UnicodeScalar(UInt8(65 + index))) Okafor") }
        let victims = [
            try Victims("tondo-any", in: book.folder),
            try Victims("tondo-any-heif", of: "tondo-render-heif", in: book.folder),
            try Victims("tondo-any-text", of: "tondo-render-text", in: book.folder),
        ]
        let kills = ProcessInfo.processInfo.environment["TONDO_WORKER_KILLS"].flatMap { Int($0) } ?? 20
        var (random, killed, expected) = (SplitMix64(3), 0, [String: String]())
        repeat {
            let programs = Dictionary(uniqueKeysWithValues: zip(WorkerKind.allCases, victims.map(\.path)))
            let cache = try SmallBook()
            let pipeline = AvatarPipeline(
                cache: cache.cache, WorkerSlots.options(try WorkerSlots.workers(programs)))
            // The first load shows what should be drawn.
            let isFirst = expected.isEmpty
            let drawn = try await drawnParts(pipeline) {
                if isFirst || Bool.random(using: &random) { return }
                if victims.randomElement(using: &random)?.endOne(&random) == true { killed += 1 }
            }
            if isFirst { expected = drawn }
            let others = drawn.filter { $0.value != expected[$0.key] }
            try #require(others.isEmpty && drawn.count == 40, "after \(killed) kills: \(others.keys.sorted())")
        } while killed < kills
    }

    /// Of each contact. Calls `onAvatar` with each avatar, while the next ones are drawn.
    private func drawnParts(_ pipeline: AvatarPipeline, onAvatar: () -> Void) async throws -> [String: String] {
        var drawn: [String: String] = [:]
        for try await event in ContactLoader(book.path, styles: [AvatarStyle(size: 16)], pipeline: pipeline).events() {
            #expect(!event.text.hasPrefix("failed"), "\(event.text)")
            guard let avatar = event.avatar else { continue }
            #expect(drawn.updateValue(try avatar.key + avatar.drawnPart, forKey: avatar.contact) == nil)
            onAvatar()
        }
        return drawn
    }
}

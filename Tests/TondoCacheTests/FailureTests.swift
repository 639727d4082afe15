import Foundation
import Testing

@testable import TondoCache

@Suite struct FailureTests {
    private static let subject = "photo=sha256:1f crop=none renderer=1"

    private static func note(
        _ cache: AvatarCache, _ subject: String = subject, reason: String = "cut off", memoryLimit: Int? = nil,
        isTransient: Bool = false
    ) throws {
        try cache.note(
            failureOf: subject, stage: "decode", code: "broken", reason: reason, memoryLimit: memoryLimit,
            isTransient: isTransient)
    }

    @Test func itsStageItsCodeAndItsReasonAreRemembered() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try Self.note(cache, reason: "cut off\nat 30 %")
        let failure = try #require(cache.failure(of: Self.subject, memoryLimit: 0))
        #expect(failure.subject == Self.subject && failure.stage == "decode" && failure.code == "broken")
        #expect(failure.reason == "cut off\nat 30 %" && failure.since == folder.now && failure.until == nil)
    }

    @Test func everyOtherCacheKnowsItAtOnce() throws {
        let folder = try TemporaryCache()
        let (first, second) = (try folder.open(), try folder.open())
        try Self.note(first)
        #expect(second.failure(of: Self.subject, memoryLimit: 0) != nil)
    }

    @Test func aBrokenPhotoIsNotTriedAgainHoweverLongItLies() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try Self.note(cache)
        folder.wait(seconds: 1e9)
        #expect(cache.failure(of: Self.subject, memoryLimit: .max) != nil)
    }

    @Test func otherBytesAreAnotherPhoto() throws {
        let cache = try TemporaryCache().open()
        try Self.note(cache)
        #expect(cache.failure(of: "photo=sha256:20 crop=none renderer=1", memoryLimit: 0) == nil)
    }

    @Test func aTransientOneBacksOffUpToADay() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        for attempt in 1...14 {
            try Self.note(cache, isTransient: true)
            let retryDelay = min(60 * pow(2, Double(attempt - 1)), 86_400)
            folder.wait(seconds: retryDelay - 1)
            #expect(cache.failure(of: Self.subject, memoryLimit: 0)?.attempts == attempt)
            folder.wait(seconds: 1)
            #expect(cache.failure(of: Self.subject, memoryLimit: 0) == nil)
        }
    }

    @Test func moreMemoryIsWorthAnotherTry() throws {
        let cache = try TemporaryCache().open()
        try Self.note(cache, memoryLimit: 1000)
        #expect(cache.failure(of: Self.subject, memoryLimit: 1000) != nil)
        #expect(cache.failure(of: Self.subject, memoryLimit: 1001) == nil)
    }

    @Test func whatCouldBeDrawnAfterAllIsForgotten() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try Self.note(cache)
        cache.forgetFailure(of: Self.subject)
        #expect(cache.failure(of: Self.subject, memoryLimit: 0) == nil)
        #expect(try folder.files(below: "failures") == [])
    }

    @Test func allAreForgottenAtOnce() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        for number in 0..<5 { try Self.note(cache, "photo=\(number)") }
        try folder.makeFolder("failures/\(TestImage(9).key)")
        #expect(try cache.clearFailures() == 5)
        #expect(try cache.failures() == [])
    }

    @Test func theOldGoWithPruning() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try Self.note(cache, "photo=1")
        folder.wait(seconds: 100)
        try Self.note(cache, "photo=2")
        #expect(try cache.prune(maxAge: 50, isTrial: true).failures == 1)
        #expect(try cache.prune(maxAge: 50).failures == 1)
        #expect(try cache.failures().map(\.subject) == ["photo=2"])
    }

    @Test func clearingThemKeepsNothingInTheTemporaryFolder() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try Self.note(cache)
        cache.close()
        #expect(try folder.files(below: "tmp") == [])
    }

    /// However it is written, a remembered failure can be read back.
    @Test(arguments: [
        String(repeating: "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", count: 2000),
        "x" + String(repeating: "\u{301}", count: 100_000), String(repeating: "\0", count: 100_000), "", "%",
        String(repeating: "x", count: 1 << 20),
    ])
    func aReasonOfAnyLengthIsRemembered(reason: String) throws {
        let cache = try TemporaryCache().open()
        try Self.note(cache, reason: reason)
        let failure = try #require(cache.failure(of: Self.subject, memoryLimit: 0))
        #expect(reason.utf8.starts(with: failure.reason.utf8) && failure.reason.utf8.count <= 1000)
    }

    @Test func aSubjectOfTheLongestRecipeIsRemembered() throws {
        let cache = try TemporaryCache().open()
        let subject = "photo=" + String(repeating: "x", count: Recipe.longest - 6)
        try Self.note(cache, subject, reason: String(repeating: "\0", count: 2000))
        #expect(cache.failure(of: subject, memoryLimit: 0) != nil)
    }
}

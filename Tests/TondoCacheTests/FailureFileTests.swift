import Foundation
import Testing

@testable import TondoCache

@Suite struct FailureFileTests {
    private static let failure = Failure(
        subject: "photo=1 crop=none", stage: "decode", code: "broken", reason: "b o\n", memoryLimit: 7, attempts: 3,
        since: Date(milliseconds: 1), until: Date(milliseconds: 2))
    private static let key = CacheKey(recipe: failure.subject)
    private static let name = "failures/\(key)"

    @Test func itComesBackAsItWas() {
        let text = String(decoding: FailureFile.bytes(of: Self.failure), as: UTF8.self)
        #expect(FailureFile.failure(text, key: Self.key) == Self.failure)
    }

    @Test func anyFlippedBitAndAnyTruncationMakesItWorthNothing() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        let bytes = FailureFile.bytes(of: Self.failure)
        for place in bytes.indices {
            var other = bytes
            other[place] ^= 1 << UInt8(place % 8)
            try folder.write(other, to: Self.name)
            #expect(cache.negatives.entry(Self.key) == nil, "byte \(place)")
            try folder.write(bytes[..<place], to: Self.name)
            #expect(cache.negatives.entry(Self.key) == nil, "\(place) bytes")
        }
        try folder.write(bytes + [10], to: Self.name)
        #expect(cache.negatives.entry(Self.key) == nil)
    }

    @Test func underAnothersNameItIsWorthNothing() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try folder.write(FailureFile.bytes(of: Self.failure), to: "failures/\(TestImage(1).key)")
        #expect(try cache.failures() == [])
    }

    enum Thing: CaseIterable { case empty, text, folder, fifo, link, danglingLink, sparse }

    private static func put(_ thing: Thing, _ folder: TemporaryCache) throws {
        let victim = try folder.outside("victim")
        switch thing {
        case .empty: try folder.write([], to: name)
        case .text: try folder.write("hello".utf8, to: name)
        case .folder: try folder.write([1], to: name + "/file")
        case .fifo: try folder.makeFIFO(name)
        case .link:
            try Data(FailureFile.bytes(of: failure)).write(to: victim)
            try folder.makeLink(name, to: victim.path)
        case .danglingLink: try folder.makeLink(name, to: victim.path)
        case .sparse:
            try folder.write([1], to: name)
            truncate(folder.url(name).path, 1 << 40)
        }
    }

    @Test(arguments: Thing.allCases)
    func anythingElseInItsPlaceIsNoFailureAndMakesRoom(thing: Thing) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try Self.put(thing, folder)
        #expect(try cache.failures() == [])
        #expect(cache.failure(of: Self.failure.subject, memoryLimit: 0) == nil)
        let before = try folder.outside()
        try cache.note(failureOf: Self.failure.subject, stage: "decode", code: "broken", reason: "new")
        #expect(cache.failure(of: Self.failure.subject, memoryLimit: 0)?.attempts == 1)
        #expect(try folder.outside() == before)
    }

    @Test(arguments: Thing.allCases)
    func repairTakesAnythingElseAway(thing: Thing) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try Self.put(thing, folder)
        let before = try folder.outside()
        #expect(try cache.verify(isRepairing: true).problems.map(\.kind) == [.failure])
        #expect(try cache.verify(isRepairing: false).problems == [])
        #expect(try folder.outside() == before)
    }

    @Test(arguments: [Int.max, .min, 0, -1])
    func anyNumberOfAttemptsCanBeCountedOn(attempts: Int) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        var failure = Self.failure
        failure.attempts = attempts
        try folder.write(FailureFile.bytes(of: failure), to: Self.name)
        try cache.note(
            failureOf: failure.subject, stage: "read", code: "broken", reason: "", isTransient: true)
        #expect(cache.failure(of: failure.subject, memoryLimit: 0) != nil)
    }
}

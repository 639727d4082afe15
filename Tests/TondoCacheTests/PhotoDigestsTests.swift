import Testing
import TondoDigest

@testable import TondoCache

@Suite struct PhotoDigestsTests {
    private let folder: TemporaryCache
    private let cache: AvatarCache

    init() throws {
        folder = try TemporaryCache()
        cache = try folder.open()
    }

    private func identity(_ number: Int) -> PhotoIdentity {
        PhotoIdentity(device: 1, inode: UInt64(number), size: 5, modified: -7, changed: 1 << 60)
    }

    private func facts(_ number: Int) -> PhotoFacts {
        PhotoFacts(digest: SHA256Digest(SIMD4(UInt64(number), 2, 3, .max)), header: 9)
    }

    @Test func `A digest is known at once, after a flush, and to another process`() throws {
        cache.remember(facts(1), of: identity(1))
        #expect(cache.photo(at: identity(1)) == facts(1))
        cache.flush()
        #expect(cache.photo(at: identity(1)) == facts(1))
        let other = try folder.open()
        #expect(other.photo(at: identity(1)) == facts(1))
        #expect(other.photo(at: identity(2)) == nil)
    }

    @Test func `Many lookups read all digests at once, and memory can be released`() throws {
        for number in 0..<100 { cache.remember(facts(number), of: identity(number)) }
        cache.flush()
        let other = try folder.open()
        for _ in 0..<2 {
            for number in 0..<100 { #expect(other.photo(at: identity(number)) == facts(number)) }
            other.releaseMemory()
        }
    }

    @Test func `Clearing the cache forgets all digests`() throws {
        cache.remember(facts(1), of: identity(1))
        cache.flush()
        cache.remember(facts(2), of: identity(2))
        _ = try cache.clear()
        #expect(cache.photo(at: identity(1)) == nil && cache.photo(at: identity(2)) == nil)
        #expect(try folder.open().photo(at: identity(1)) == nil)
    }

    @Test func `Another part of the file is another photo`() {
        cache.remember(facts(1), of: identity(1))
        var part = identity(1)
        (part.offset, part.count, part.fingerprint) = (10, 20, 30)
        #expect(cache.photo(at: part) == nil)
        cache.remember(facts(2), of: part)
        #expect(cache.photo(at: part) == facts(2) && cache.photo(at: identity(1)) == facts(1))
    }

    @Test func `The oldest digests are dropped`() throws {
        try cache.index.write { writer in
            for number in 0..<10 { try writer.put([identity(number): facts(number)], limit: 4) }
        }
        let known = try cache.index.read { try $0.photos(limit: 100) }
        #expect(Set(known.keys) == Set((6..<10).map { identity($0) }))
    }

    @Test func `A lookup does not wait for the index`() throws {
        cache.remember(facts(1), of: identity(1))
        cache.flush()
        let other = try folder.open()
        // The thread that holds the index looks up; waiting would never end.
        let known = try other.index.locked { _ in other.photo(at: identity(1)) }
        #expect(known == nil)
        #expect(other.photo(at: identity(1)) == facts(1))
    }

    @Test(arguments: [(0, true), (1_999_999_999, false), (2_000_000_000, true)] as [(Int64, Bool)])
    func `A identity is settled two seconds after its last change`(_ age: Int64, _ isSettled: Bool) {
        let identity = PhotoIdentity(device: 1, inode: 1, size: 1, modified: 10, changed: 20)
        let isMiddle = age > 0
        #expect(identity.isSettled(now: isMiddle ? 20 + age : .max) == isSettled)
        // A file from the future.
        #expect(!identity.isSettled(now: .min))
    }
}

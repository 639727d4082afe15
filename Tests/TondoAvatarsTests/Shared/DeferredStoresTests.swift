import Testing
import TondoCache
import TondoImage
import TondoTestSupport

@testable import TondoAvatars

@Suite(.timeLimit(.minutes(15))) struct DeferredStoresTests {
    private let server: RedisServer

    init() throws { server = try RedisServer() }

    private func avatar(_ shade: UInt8, of instance: SharedInstance) async throws -> Avatar {
        var request = instance.request(SmallBook.image(shade), contact: "ada")
        request.isStoredLater = true
        return try await withCheckedContinuation { done in
            instance.pipeline.avatars(request) { done.resume(returning: $0) }
        }.get()[0]
    }

    @Test func `An avatar of the tier is in the cache a moment after it was taken for the second time`() async throws {
        let (one, two) = (try SharedInstance(server), try SharedInstance(server))
        let drawn = try await one.avatar(1)
        for _ in 0..<2 {
            #expect(!two.cache.contains(drawn.key))
            let shared = try await avatar(1, of: two)
            #expect(shared.bytes == drawn.bytes && shared.source == .cache && !shared.isStored)
        }
        #expect(await eventually { two.cache.contains(drawn.key) })
        #expect(try await avatar(1, of: two).isStored)
        #expect(two.tier.counters.hits == 2 && two.drawings == 0)
        #expect(try two.cache.entry(drawn.key)?.contacts == ["ada"])
    }

    @Test func `A pipeline that drains has stored all of them`() async throws {
        let (one, two) = (try SharedInstance(server), try SharedInstance(server))
        var keys: [CacheKey] = []
        for shade: UInt8 in 1...30 { keys.append(try await one.avatar(shade).key) }
        for _ in 0..<2 {
            for shade: UInt8 in 1...30 { _ = try await avatar(shade, of: two) }
        }
        #expect(await two.pipeline.drain(within: .seconds(300)))
        #expect(keys.allSatisfy { two.cache.contains($0) })
    }

    @Test func `What finds no room is not stored, and what waits is stored once`() async throws {
        let instance = try SharedInstance(server)
        let drawn = try await instance.avatar(1)
        let seal = SealedAvatar.seal(drawn.bytes, key: drawn.key, cost: 1, created: 0)
        let sealed = try SealedAvatar(bytes: try #require(seal), key: drawn.key)
        try instance.cache.remove(drawn.key)
        let none = DeferredStores(cache: instance.cache, limit: drawn.bytes.count - 1)
        for _ in 0..<3 { none.add(sealed, as: drawn.key, for: nil) }
        await none.finish()
        #expect(!instance.cache.contains(drawn.key))
        let some = DeferredStores(cache: instance.cache, limit: drawn.bytes.count)
        for _ in 0..<3 { some.add(sealed, as: drawn.key, for: nil) }
        await some.finish()
        #expect(instance.cache.contains(drawn.key))
    }

    @Test func `Keys are remembered until as many others came twice over`() {
        var keys = RecentKeys(limit: 10)
        func key(_ number: Int) -> CacheKey { CacheKey(recipe: String(number)) }
        func known(_ numbers: Range<Int>) -> Int { numbers.count { keys.insert(key($0)) } }
        let counts = [0..<10, 0..<10, 10..<20, 19..<20, 0..<1, 20..<40, 0..<1].map(known)
        #expect(counts == [0, 10, 0, 1, 1, 0, 0])
    }
}

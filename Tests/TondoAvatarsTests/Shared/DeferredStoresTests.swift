import Testing
import TondoCache
import TondoImage
import TondoTestSupport

@testable import TondoAvatars

@Suite(.timeLimit(.minutes(2))) struct DeferredStoresTests {
    private let server: RedisServer

    init() throws { server = try RedisServer() }

    private func avatar(_ shade: UInt8, of instance: SharedInstance) async throws -> Avatar {
        var request = instance.request(SmallBook.image(shade), contact: "ada")
        request.isStoredLater = true
        return try await withCheckedContinuation { done in
            instance.pipeline.avatars(request) { done.resume(returning: $0) }
        }.get()[0]
    }

    @Test func `An avatar of the tier is passed on first, and is in the cache a moment later`() async throws {
        let (one, two) = (try SharedInstance(server), try SharedInstance(server))
        let drawn = try await one.avatar(1)
        let shared = try await avatar(1, of: two)
        #expect(shared.bytes == drawn.bytes && shared.source == .cache && !shared.isStored)
        #expect(await eventually { two.cache.contains(drawn.key) })
        #expect(try await avatar(1, of: two).isStored)
        #expect(two.tier.counters.hits == 1 && two.drawings == 0)
        #expect(try two.cache.entry(drawn.key)?.contacts == ["ada"])
    }

    @Test func `A pipeline that drains has stored all of them`() async throws {
        let (one, two) = (try SharedInstance(server), try SharedInstance(server))
        var keys: [CacheKey] = []
        for shade: UInt8 in 1...30 { keys.append(try await one.avatar(shade).key) }
        for shade: UInt8 in 1...30 { _ = try await avatar(shade, of: two) }
        #expect(await two.pipeline.drain(within: .seconds(60)))
        #expect(keys.allSatisfy { two.cache.contains($0) })
    }

    @Test func `What finds no room is not stored, and what waits is stored once`() async throws {
        let instance = try SharedInstance(server)
        let drawn = try await instance.avatar(1)
        let seal = SealedAvatar.seal(drawn.bytes, key: drawn.key, cost: 1, created: 0)
        let sealed = try SealedAvatar(try #require(seal), key: drawn.key)
        try instance.cache.remove(drawn.key)
        let none = DeferredStores(instance.cache, limit: drawn.bytes.count - 1)
        none.add(sealed, drawn.key, for: nil)
        await none.finish()
        #expect(!instance.cache.contains(drawn.key))
        let some = DeferredStores(instance.cache, limit: drawn.bytes.count)
        for _ in 0..<3 { some.add(sealed, drawn.key, for: nil) }
        await some.finish()
        #expect(instance.cache.contains(drawn.key))
    }
}

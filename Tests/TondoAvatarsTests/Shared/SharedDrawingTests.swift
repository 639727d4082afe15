import Dispatch
import Foundation
import Synchronization
import Testing
import TondoCache
import TondoDigest
import TondoImage
import TondoJobs
import TondoRedis
import TondoTestSupport

@testable import TondoAvatars

@Suite(.timeLimit(.minutes(15))) struct SharedDrawingTests {
    private let server: RedisServer

    init() throws { server = try RedisServer() }

    /// As another instance would, which draws this photo.
    private func lock(_ photo: [UInt8], of instance: SharedInstance, milliseconds: Int) throws {
        let reply = try server.cli(
            "SET", instance.lock(photo), "other", "NX", "PX", String(milliseconds))
        #expect(reply == "OK")
    }

    @Test func `A thousand equal requests on three instances are one drawing`() async throws {
        let instances = try (0..<3).map { _ in try SharedInstance(server) }
        for instance in instances { instance.pipeline.pause() }
        let results = Recorder<[UInt8]?>()
        for number in 0..<1_000 {
            let instance = instances[number % 3]
            // Requests that wait for room are not refused, however busy the machine is.
            instance.pipeline.avatars(instance.request(SmallBook.image(1)), .wait) {
                results.add((try? $0.get())?.first?.bytes)
            }
        }
        for instance in instances { instance.pipeline.resume() }
        let all = results.wait(for: 1_000)
        #expect(all.count == 1_000 && Set(all).count == 1 && all[0] != nil)
        #expect(instances.reduce(0) { $0 + $1.drawings } == 1)
        #expect(try server.cli("--scan", "--pattern", "tondo:1:lock:*") == "")
    }

    @Test func `Two instances that load the same photos draw each once`() async throws {
        let instances = try (0..<2).map { _ in try SharedInstance(server) }
        let results = Recorder<Bool>()
        for shade: UInt8 in 1...60 {
            for instance in instances {
                instance.pipeline.avatars(instance.request(SmallBook.image(shade)), .wait) {
                    results.add((try? $0.get()) != nil)
                }
            }
        }
        #expect(results.wait(for: 120) == [Bool](repeating: true, count: 120))
        #expect(instances.reduce(0) { $0 + $1.drawings } == 60)
    }

    @Test func `The photo of a killed instance is drawn when its lock ends`() async throws {
        let instance = try patient()
        try lock(SmallBook.image(1), of: instance, milliseconds: 600_000)
        async let waiting = instance.avatar(1)
        #expect(await eventually { instance.tier.counters.lockWaits == 1 })
        // The lock ends by itself, as that of a process that is gone.
        try server.cli("PEXPIRE", instance.lock(SmallBook.image(1)), "1")
        #expect(try await waiting.source == .rendered && instance.drawings == 1)
        // Not longer than twice the time of the lock, which would be a timeout.
        #expect(instance.tier.counters.lockWaits == 1 && instance.tier.counters.lockTimeouts == 0)
        #expect(SharedTier.Options().lockTime == .seconds(5), "As documented")
    }

    @Test func `A lock that is renewed for ever delays a photo, and does not keep it`() async throws {
        let instance = try SharedInstance(server) { $0.lockTime = .milliseconds(100) }
        try lock(SmallBook.image(1), of: instance, milliseconds: 600_000)
        #expect(try await instance.avatar(1).source == .rendered)
        #expect(instance.tier.counters.lockTimeouts == 1)
        #expect(try server.cli("GET", instance.lock(SmallBook.image(1))) == "other")
    }

    @Test func `A photo that waits for another instance holds no worker, and leaves room`() async throws {
        let instance = try SharedInstance(server) { options in
            (options.pipeline.queue.workers, options.pipeline.queue.spares) = (1, 0)
            // One place for the photo that waits, in the moments in which it is tried again.
            options.pipeline.queue.depth = 2
        }
        try lock(SmallBook.image(1), of: instance, milliseconds: 600_000)
        async let waiting = instance.avatar(1)
        #expect(await eventually { instance.tier.counters.lockWaits == 1 })
        for shade: UInt8 in 2...20 { #expect(try await instance.avatar(shade).source == .rendered) }
        try server.cli("DEL", instance.lock(SmallBook.image(1)))
        #expect(try await waiting.source == .rendered)
        #expect(instance.drawings == 20)
    }

    @Test func `What the other instance has drawn ends the wait`() async throws {
        let (one, two) = (try SharedInstance(server), try SharedInstance(server))
        try lock(SmallBook.image(1), of: two, milliseconds: 600_000)
        async let waiting = two.avatar(1)
        #expect(await eventually { two.tier.counters.lockWaits == 1 })
        // The avatar of the other instance, which does not wait for itself.
        let key = AvatarRecipe(
            photo: SHA256Digest(PhotoFile(copying: SmallBook.image(1))), style: one.styles.source.styles[0],
            decodeDenominator: 1
        ).key
        let drawn = try AvatarPipeline.draw(
            .bytes(PhotoFile(copying: SmallBook.image(1))), in: one.styles.styles[0])
        #expect(drawn.key == key)
        let drawing = SharedDrawing(one.tier, lock: nil)
        drawing.add(drawn.bytes, key: drawn.key, cost: 1)
        drawing.end()
        #expect(try await waiting.bytes == drawn.bytes)
        #expect(two.drawings == 0)
    }

    /// Without a limit of time for its jobs, so that a slow machine ends no wait.
    private func patient() throws -> SharedInstance {
        try SharedInstance(server) { $0.pipeline.timeout = nil }
    }

    /// The lock of a photo, taken as an instance that draws it.
    private func taken(_ photo: [UInt8], by instance: SharedInstance) throws -> (key: CacheKey, lock: SharedLock) {
        let key = instance.key(photo)
        let claim = instance.tier.claim([key], of: SharedInstance.subject(photo), locking: true)
        return (key, try #require(claim.lock))
    }

    @Test(arguments: [1, 3]) func `Instances that wait take the avatar once the lock is released`(waiters: Int)
        async throws
    {
        let (owner, photo) = (try SharedInstance(server), SmallBook.image(1))
        let (key, lock) = try taken(photo, by: owner)
        let drawn = try AvatarPipeline.draw(.bytes(PhotoFile(copying: photo)), in: owner.styles.styles[0])
        let instances = try (0..<waiters).map { _ in try patient() }
        let results = Recorder<[UInt8]?>()
        for instance in instances {
            instance.pipeline.avatars(instance.request(photo)) { results.add((try? $0.get())?.first?.bytes) }
        }
        for instance in instances { #expect(await eventually { instance.tier.counters.lockWaits == 1 }) }
        let drawing = SharedDrawing(owner.tier, lock: lock)
        drawing.add(drawn.bytes, key: key, cost: 1)
        drawing.end()
        #expect(results.wait(for: waiters) == [[UInt8]?](repeating: drawn.bytes, count: waiters))
        #expect(instances.allSatisfy { $0.drawings == 0 && $0.tier.counters.lockTimeouts == 0 })
    }

    @Test func `An owner that draws nothing leaves the photo to one of those that wait`() async throws {
        let (owner, photo) = (try SharedInstance(server), SmallBook.image(1))
        let lock = try taken(photo, by: owner).lock
        let instances = [try patient(), try patient()]
        let results = Recorder<[UInt8]?>()
        for instance in instances {
            instance.pipeline.avatars(instance.request(photo)) { results.add((try? $0.get())?.first?.bytes) }
        }
        for instance in instances { #expect(await eventually { instance.tier.counters.lockWaits == 1 }) }
        SharedDrawing(owner.tier, lock: lock).end()
        let all = results.wait(for: 2)
        #expect(all.count == 2 && Set(all).count == 1 && all[0] != nil)
        #expect(instances.reduce(0) { $0 + $1.drawings } == 1)
    }

    @Test func `With one worker and a full queue a photo is drawn once its lock is released`() async throws {
        let instance = try SharedInstance(server) { options in
            options.pipeline.timeout = nil
            (options.pipeline.queue.workers, options.pipeline.queue.spares) = (1, 0)
            options.pipeline.queue.depth = 2
        }
        let owner = try SharedInstance(server)
        let lock = try taken(SmallBook.image(1), by: owner).lock
        async let waiting = instance.avatar(1)
        #expect(await eventually { instance.tier.counters.lockWaits == 1 })
        // One that fails, and one that does not.
        _ = await instance.result([UInt8](try Repository.data(Repository.truncated)))
        #expect(try await instance.avatar(2).source == .rendered)
        instance.pipeline.pause()
        async let other = instance.avatar(3)
        // The one that waits comes back, too, and the queue is full.
        #expect(await eventually { instance.pipeline.counters.queued == 2 })
        guard case .failure(let refused) = await instance.result(SmallBook.image(4)) else {
            Issue.record("the queue has room")
            return
        }
        #expect(refused.code == "queue-full")
        SharedDrawing(owner.tier, lock: lock).end()
        instance.pipeline.resume()
        let sources = try await [waiting.source, other.source]
        #expect(sources == [.rendered, .rendered])
    }

    @Test func `The failure of the other instance ends the wait`() async throws {
        let instance = try SharedInstance(server)
        let photo = SmallBook.image(1)
        try lock(photo, of: instance, milliseconds: 600_000)
        async let waiting = instance.result(photo)
        #expect(await eventually { instance.tier.counters.lockWaits == 1 })
        let failure = Failure(
            subject: SharedInstance.subject(photo), stage: "decode", code: "decoder-crashed", reason: "it crashed",
            since: Date(), until: Date().addingTimeInterval(60))
        let drawing = SharedDrawing(instance.tier, lock: nil)
        drawing.add(failure)
        drawing.end()
        guard case .failure(let found) = await waiting else {
            Issue.record("drawn")
            return
        }
        #expect(found.code == "decoder-crashed" && found.retry == .later && instance.drawings == 0)
    }

    @Test func `The same photo in another style does not wait`() async throws {
        let instance = try SharedInstance(server)
        try lock(SmallBook.image(1), of: instance, milliseconds: 600_000)
        let styles = instance.pipeline.styles([Style(size: 8)])
        let other = await withCheckedContinuation { done in
            let request = AvatarRequest(.bytes(PhotoFile(copying: SmallBook.image(1))), styles: styles)
            instance.pipeline.avatars(request) { done.resume(returning: $0) }
        }
        #expect(try other.get()[0].source == .rendered && instance.tier.counters.lockWaits == 0)
    }

    @Test func `A drawing releases its own lock only`() throws {
        var options = SharedTier.Options()
        options.lockTime = .milliseconds(1_500)
        let tier = SharedTier(RedisPool(address: RedisAddress("unix:\(server.socket)")!), options: options)
        let keys = [CacheKey(recipe: "one"), CacheKey(recipe: "two")]
        let mine = tier.claim(keys, of: "a", locking: true)
        let other = tier.claim(keys.reversed(), of: "a", locking: true)
        #expect(mine.lock != nil && !mine.isElsewhere && other.lock == nil && other.isElsewhere)
        let start = ContinuousClock.now
        try server.cli("SET", SharedKey.lock(keys), "later")
        while ContinuousClock.now - start < options.lockTime { usleep(10_000) }
        SharedDrawing(tier, lock: mine.lock).end()
        #expect(try server.cli("GET", SharedKey.lock(keys)) == "later")
    }

    @Test func `Two owners that draw past a lock's end store the same avatar, and a third one draws nothing`()
        async throws
    {
        let (one, two) = (
            try SharedInstance(server) { $0.lockTime = .milliseconds(100) }, try SharedInstance(server)
        )
        let drawn = try AvatarPipeline.draw(
            .bytes(PhotoFile(copying: SmallBook.image(1))), in: one.styles.styles[0])
        let subject = SharedInstance.subject(SmallBook.image(1))
        let first = one.tier.claim([drawn.key], of: subject, locking: true)
        #expect(first.lock != nil)
        // The lock of the first owner ends, while it draws on.
        var second = SharedTier.Claim()
        #expect(
            await eventually {
                second = two.tier.claim([drawn.key], of: subject, locking: true)
                return second.lock != nil
            })
        for (tier, lock) in [(one.tier, first.lock), (two.tier, second.lock)] {
            let drawing = SharedDrawing(tier, lock: lock)
            drawing.add(drawn.bytes, key: drawn.key, cost: 1)
            let isFirst = tier === one.tier
            drawing.end()
            #expect(try server.cli("EXISTS", SharedKey.lock([drawn.key])) == (isFirst ? "1" : "0"), "Its own lock only")
            #expect(one.tier.avatars([drawn.key])[drawn.key]?.avatar.bytes == drawn.bytes)
        }
        let third = try SharedInstance(server)
        #expect(try await third.avatar(1).bytes == drawn.bytes && third.drawings == 0)
    }

    @Test func `Locks that end during every drawing cost second drawings at most, and no avatar is wrong`() async throws
    {
        let instances = try (0..<2).map { _ in try SharedInstance(server) { $0.lockTime = .milliseconds(1) } }
        let results = Recorder<(UInt8, [UInt8]?)>()
        for shade: UInt8 in 1...30 {
            for instance in instances {
                instance.pipeline.avatars(instance.request(SmallBook.image(shade)), .wait) {
                    results.add((shade, (try? $0.get())?.first?.bytes))
                }
            }
        }
        for (shade, bytes) in results.wait(for: 60) {
            let right = try AvatarPipeline.draw(
                .bytes(PhotoFile(copying: SmallBook.image(shade))), in: instances[0].styles.styles[0])
            #expect(bytes == right.bytes)
        }
        #expect(instances.allSatisfy { $0.drawings <= 30 })
    }

    @Test func `A server that fails between lock and store costs nothing`() async throws {
        let instance = try SharedInstance(server) { $0.time = .milliseconds(50) }
        let claim = instance.tier.claim([], of: "a", locking: true)
        server.stop()
        SharedDrawing(instance.tier, lock: claim.lock).end()
        #expect(try await instance.avatar(1).source == .rendered)
    }
}

struct LockWaitTests {
    private let start = ContinuousClock.now

    @Test func `Waits for twice the time of a lock, from the first time on`() {
        var wait = LockWait(lockTime: .seconds(5))
        #expect(!wait.isBegun)
        let waits = [0, 4, 9, 10, 11].map { wait.waits(at: start + .seconds($0)) }
        #expect(waits == [true, true, true, false, false] && wait.isBegun)
    }

    @Test func `Pauses grow to a tenth of a second and differ between jobs`() {
        let retries = (0..<20).map { _ in SharedWait(options: SharedTier.Options()).retry(shortages: 3) }
        #expect(retries.allSatisfy { .milliseconds(60)...(.milliseconds(100)) ~= $0.longest })
        #expect(Set(retries.map(\.delay)).count > 1)
    }
}

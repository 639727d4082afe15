import Foundation
import Synchronization
import SystemPackage
import TondoAvatars
import TondoCache
import TondoImage
import TondoRedis

/// How much later than the owner of a lock an instance has the avatar that it waits for.
struct WaitBench {
    private let server: BenchServer
    private let photo: FilePath
    private let rounds: Int
    private let connection: RedisConnection

    /// An instance in this process.
    private struct Instance {
        let pipeline: AvatarPipeline
        let tier: SharedTier
        let styles: StyleSet
    }

    init(_ server: BenchServer, photo: FilePath, rounds: Int) {
        (self.server, self.photo, self.rounds) = (server, photo, rounds)
        connection = RedisConnection(to: server.address)
    }

    private func instance(_ name: String, _ style: Style) throws -> Instance {
        var options = AvatarPipeline.Options()
        let tier = SharedTier(RedisPool(address: server.address))
        options.shared = tier
        let pipeline = AvatarPipeline(
            cache: try AvatarCache(server.folder.appending("\(name)-\(style.size)")), options)
        return Instance(pipeline: pipeline, tier: tier, styles: pipeline.styles([style]))
    }

    /// Milliseconds: of each drawing, and how much later the other instance had the avatar, in order. Of the rounds in which
    /// it waited.
    private func run(_ style: Style) throws -> (drawing: [Double], wait: [Double]) {
        let owner = try instance("owner", style)
        let waiter = try instance("waiter", style)
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: photo.string)))
        let times = (0...rounds).map { round -> [Double]? in
            let waits = waiter.tier.counters.lockWaits
            // Bytes behind the end of a picture make it another photo.
            let photo = PhotoFile(copying: bytes + Array("\(style.size) \(round)".utf8))
            let ends = Mutex([ContinuousClock.Instant?](repeating: nil, count: 2))
            let group = DispatchGroup()
            let start = ContinuousClock.now
            for (place, instance) in [owner, waiter].enumerated() {
                group.enter()
                instance.pipeline.avatars(AvatarRequest(.bytes(photo), styles: instance.styles)) { result in
                    precondition((try? result.get()) != nil)
                    ends.withLock { $0[place] = .now }
                    group.leave()
                }
                if place == 0 { waitForLock() }
            }
            group.wait()
            guard waiter.tier.counters.lockWaits > waits else { return nil }
            return ends.withLock { [($0[0]! - start) / .milliseconds(1), ($0[1]! - $0[0]!) / .milliseconds(1)] }
        }.dropFirst().compactMap { $0 }
        return (times.map { $0[0] }.sorted(), times.map { $0[1] }.sorted())
    }

    /// Until the first one has the lock.
    private func waitForLock() {
        let keys = RedisCommand("KEYS", .text(SharedKey.prefix + "lock:*"))
        for _ in 0..<1_000 {
            if (try? connection.call(keys, by: .now + .seconds(1)))?.array?.isEmpty == false { return }
        }
    }

    func report() throws {
        for size in [128, 384, 1_024] { try report(run(Style(size: size))) }
    }

    private func report(_ times: (drawing: [Double], wait: [Double])) {
        let (drawing, wait) = times
        guard !wait.isEmpty else { return print("  wait: the machine is too busy") }
        let text = [drawing[drawing.count / 2], wait[wait.count / 2], wait[0], wait[wait.count - 1]]
            .map { String(format: "%.2f", $0) }
        let name = "wait after a drawing of \(text[0]) ms".padding(toLength: 58, withPad: " ", startingAt: 0)
        print("  \(name)\(text[1]) ms (\(text[2])..\(text[3])), \(wait.count) rounds")
    }
}

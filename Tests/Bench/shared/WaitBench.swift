import Foundation
import Synchronization
import SystemPackage
import TondoAvatars
import TondoCache
import TondoImage
import TondoRedis

/// How much later than the owner of a lock an instance has the avatar that it waits for: with a subscription to its release,
/// and by polling alone.
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

    init(_ server: BenchServer, photo: FilePath, rounds: Int) throws {
        (self.server, self.photo, self.rounds) = (server, photo, rounds)
        connection = RedisConnection(server.address)
        // As documented, without what a subscription needs.
        let rules = ["~tondo:1:*", "-@all", "+get", "+getex", "+set", "+del", "+eval", "+info"]
        _ = try connection.call(
            RedisCommand("ACL", [.text("SETUSER"), "polling", "reset", "on", ">x"] + rules.map { .text($0) }),
            by: .now + .seconds(1))
    }

    private func instance(_ name: String, _ style: Style, isPolling: Bool) throws -> Instance {
        var address = server.address
        if isPolling { (address.user, address.password) = ("polling", "x") }
        var options = AvatarPipeline.Options()
        let tier = SharedTier(RedisPool(address))
        options.shared = tier
        let pipeline = AvatarPipeline(
            cache: try AvatarCache(server.folder.appending("\(name)-\(style.size)-\(isPolling)")), options)
        return Instance(pipeline: pipeline, tier: tier, styles: pipeline.styles([style]))
    }

    /// Milliseconds: of each drawing, and how much later the other instance had the avatar, in order. Of the rounds in which
    /// it waited.
    private func run(_ style: Style, isPolling: Bool) throws -> (drawing: [Double], wait: [Double]) {
        let (owner, waiter) = (
            try instance("owner", style, isPolling: isPolling), try instance("waiter", style, isPolling: isPolling)
        )
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: photo.string)))
        let times = (0...rounds).map { round -> [Double]? in
            let waits = waiter.tier.counters.lockWaits
            // Bytes behind the end of a picture make it another photo.
            let photo = PhotoFile(copying: bytes + Array("\(style.size) \(isPolling) \(round)".utf8))
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
        for size in [128, 384, 1_024] {
            try report("polling", run(Style(size: size), isPolling: true))
            try report("subscribed", run(Style(size: size), isPolling: false))
        }
    }

    private func report(_ how: String, _ times: (drawing: [Double], wait: [Double])) {
        let (drawing, wait) = times
        guard !wait.isEmpty else { return print("  wait, \(how): the machine is too busy") }
        let text = [drawing[drawing.count / 2], wait[wait.count / 2], wait[0], wait[wait.count - 1]]
            .map { String(format: "%.2f", $0) }
        let name = "wait after a drawing of \(text[0]) ms, \(how)".padding(toLength: 58, withPad: " ", startingAt: 0)
        print("  \(name)\(text[1]) ms (\(text[2])..\(text[3])), \(wait.count) rounds")
    }
}

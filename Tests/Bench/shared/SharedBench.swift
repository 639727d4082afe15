import Foundation
import SystemPackage
import TondoAvatars
import TondoCache
import TondoImage
import TondoRedis

/// A hit in the shared tier against drawing, and against a bare GET. See ../README.md.
@main
struct SharedBench {
    private let photos: [FilePath]
    private let rounds: Int
    private let server: BenchServer
    private let style = Style(
        size: 128, state: .selected, ring: Style.Ring(width: 4, gap: 3, color: .selection))

    static func main() throws {
        var words = Array(CommandLine.arguments.dropFirst())
        let isQuick = words.contains("--quick")
        words.removeAll { $0 == "--quick" }
        let bench = SharedBench(
            photos: words.isEmpty ? standardPhotos : words.map { FilePath($0) }, rounds: isQuick ? 5 : 15,
            server: try BenchServer())
        try bench.run()
        guard let photo = bench.photos.first else { return }
        try WaitBench(bench.server, photo: photo, rounds: isQuick ? 10 : 50).report()
    }

    private static var standardPhotos: [FilePath] {
        for folder in ["../shared/data/portraits", "assets/samples"] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let photos = names.filter { $0.hasSuffix("-1024.jpg") }
            let chosen = (photos.isEmpty ? names.filter { $0.hasSuffix(".jpg") } : photos).sorted().prefix(20)
            if !chosen.isEmpty { return chosen.map { FilePath(folder).appending($0) } }
        }
        return []
    }

    private func run() throws {
        let (tier, connection) = (SharedTier(RedisPool(address: server.address)), RedisConnection(to: server.address))
        let cache = try AvatarCache(server.folder.appending("cache"))
        let avatars = try photos.map { try AvatarPipeline.draw(.file($0), in: style) }
        for avatar in avatars { tier.store(avatar.bytes, key: avatar.key, cost: 1) }
        let keys = avatars.map(\.key)
        let names = keys.map { SharedKey.prefix + "avatar:" + $0.hexadecimal }
        precondition(tier.counters.stored == Set(keys).count, "not all avatars were stored")
        var times: [[Double]] = [[], [], [], []]
        for round in 0...rounds {
            let measured = try [
                time { for photo in photos { _ = try AvatarPipeline.draw(.file(photo), in: style) } },
                time(10) {
                    for name in names {
                        _ = try connection.call(RedisCommand("GET", .text(name)), by: .now + .seconds(1))
                    }
                },
                time(10) { for key in keys { precondition(tier.avatars([key])[key] != nil) } },
                time {
                    for key in keys {
                        guard let found = tier.avatars([key])[key] else { preconditionFailure("a miss") }
                        try cache.store(found.avatar.bytes, key: key, cost: found.cost)
                    }
                },
            ]
            for key in Set(keys) { try cache.remove(key) }
            if round > 0 { for (index, value) in measured.enumerated() { times[index].append(value) } }
        }
        report(times, bytes: avatars.map(\.bytes.count).reduce(0, +) / max(avatars.count, 1))
    }

    /// Microseconds for each photo.
    private func time(_ repeats: Int = 1, _ body: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        for _ in 0..<repeats { try body() }
        return (ContinuousClock.now - start) / .microseconds(1) / Double(repeats * photos.count)
    }

    private func report(_ times: [[Double]], bytes: Int) {
        let names = ["drawing", "bare GET", "shared: lookup, checked", "shared: kept in the folder"]
        print("shared tier: \(photos.count) photos, avatars of \(bytes) bytes, \(rounds) rounds; µs, median (min..max)")
        for (name, values) in zip(names, times) {
            let sorted = values.sorted()
            let text = [sorted[sorted.count / 2], sorted[0], sorted[sorted.count - 1]].map {
                String(format: "%.1f", $0)
            }
            print("  \(name.padding(toLength: 28, withPad: " ", startingAt: 0))\(text[0]) (\(text[1])..\(text[2]))")
        }
        verdict("a lookup over drawing", ratio(times[2], times[0]), 0.1)
        verdict("a lookup over a bare GET", ratio(times[2], times[1]), 3)
        verdict("a lookup kept in the folder over drawing", ratio(times[3], times[0]), 0.1)
    }

    /// The median of the ratios within a round.
    private func ratio(_ values: [Double], _ base: [Double]) -> Double {
        zip(values, base).map { $0 / $1 }.sorted()[values.count / 2]
    }

    private func verdict(_ what: String, _ figure: Double, _ target: Double) {
        print("  \(what): \(String(format: "%.3f", figure)), target \(target): \(figure <= target ? "met" : "MISSED")")
    }
}

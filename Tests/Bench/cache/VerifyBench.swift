import Dispatch
import Foundation
import Glibc
import TondoCache
import libxxhash

/// A look at everything over loops that read the same files and compute the same checksum.
struct VerifyBench {
    private let filled: FilledCache
    private let options: Options

    init(_ filled: FilledCache, _ options: Options) { (self.filled, self.options) = (filled, options) }

    func run() throws -> Section {
        let cache = filled.cache
        let names = filled.keys.sorted().map(FilledCache.name)
        let objects = filled.objects
        var bytes = 0
        let base = "plain loop, all cores"
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let rounds = try Rounds(
            options.rounds,
            [
                Contestant(base) {
                    DispatchQueue.concurrentPerform(iterations: 256) { part in
                        Self.check(names[(names.count * part / 256)..<(names.count * (part + 1) / 256)], objects)
                    }
                },
                Contestant("plain loop, one thread") { Self.check(names[...], objects) },
                Contestant("verify") {
                    let found = try cache.verify(isRepairing: false)
                    precondition(found.isClean && found.entries == names.count)
                    bytes = found.bytes
                },
            ])
        var section = Section(
            "verify: \(names.count) entries, \(bytes >> 20) MB in the page cache", unit: "ms", rounds, scale: 1e3,
            base: base)
        guard let row = section["verify"] else { return section }
        let busy = Series(values: zip(row.cpu.values, row.wall.values).map { $0 / $1 }).median
        section.title += "; verify \((Double(bytes) / 1e3 / row.wall.median).text(0)) MB/s on \(busy.text(2)) cores"
        section.targets = [
            .init(what: "verify over read + checksum", figure: row.cpuRatio?.median ?? .nan, target: 1.5, unit: "x"),
            .init(what: "cores that verify leaves idle", figure: Double(cores) - busy, target: 0.5, unit: ""),
        ]
        return section
    }

    private static func check(_ names: some Sequence<String>, _ folder: String) {
        let plain = PlainFiles(folder)
        var sums: UInt64 = 0
        for name in names {
            let (bytes, count) = plain.load(name)
            sums ^= XXH3_128bits_withSeed(bytes, count, 42).low64
            free(bytes)
        }
        precondition(sums != 0)
    }
}

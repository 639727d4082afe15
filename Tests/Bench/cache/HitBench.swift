import Foundation
import Glibc
import TondoCache

/// A hit: lookup, read and check of an entry, over a bare read of the same file.
struct HitBench {
    private let filled: FilledCache
    private let options: Options
    private let table: BlobTable

    init(_ filled: FilledCache, _ database: String, _ options: Options) throws {
        (self.filled, self.options) = (filled, options)
        table = BlobTable(database)
        let plain = PlainFiles(filled.objects)
        table.transaction {
            for key in filled.keys {
                let (bytes, count) = plain.load(FilledCache.name(key))
                table.insert(key.digest, Array(UnsafeRawBufferPointer(start: bytes, count: count)))
                free(bytes)
            }
        }
    }

    func run() throws -> Section {
        let (cache, table, plain) = (filled.cache, table, PlainFiles(filled.objects))
        let keys = filled.keys.shuffled()
        let names = keys.map { strdup(FilledCache.name($0)) }
        defer { for name in names { free(name) } }
        let digests = keys.map(\.digest)
        let base = "open, read, close; one buffer"
        let rounds = try Rounds(
            options.rounds,
            [
                Contestant(base) { for name in names { _ = name.map { plain.read($0) } } },
                Contestant("open, fstat, read, close; new buffer") {
                    for name in names { _ = name.map { free(plain.load($0).bytes) } }
                },
                Contestant("cache: a look only") { for key in keys { precondition(cache.lookup(key) != nil) } },
                Contestant {
                    let cost = try Cost.of {
                        for key in keys {
                            guard let hit = cache.lookup(key), try cache.read(hit) != nil else { preconditionFailure() }
                        }
                    }
                    return [("cache: hit", cost), ("last uses, written later", Cost.of { cache.flush() })]
                },
                Contestant("SQLite: SELECT of the blob, copied") {
                    for digest in digests { free(table.select(digest).bytes) }
                },
            ])
        var section = Section(
            "a hit: \(filled.keys.count) entries of 20 KB in the page cache", unit: "µs", rounds,
            scale: 1e6 / Double(keys.count), base: base)
        let ratio = section["cache: hit"]?.cpuRatio?.median ?? .nan
        section.targets.append(
            Section.Target(what: "a hit over open, read, close", figure: ratio, target: 1.5, unit: "x"))
        return section
    }
}

extension CacheKey {
    /// 32 bytes.
    var digest: [UInt8] {
        let digits = Array(hexadecimal.utf8)
        return stride(from: 0, to: digits.count, by: 2).map { index in
            UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16) ?? 0
        }
    }
}

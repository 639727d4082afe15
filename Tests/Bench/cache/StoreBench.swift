import Foundation
import Glibc
import TondoCache

/// New entries over files that are written and renamed. The same pictures for all, other ones each round.
struct StoreBench {
    private let cache: AvatarCache
    private let plain: PlainFiles
    private let table, batched: BlobTable
    private let options: Options

    init(_ folder: WorkFolder, _ options: Options) throws {
        self.options = options
        cache = try .unlimited(folder.path("stores"))
        // Beside the cache's own: where ext4 looks for room for a new file depends on the folder it is made in.
        plain = PlainFiles(folder.path("stores"))
        plain.makeShards("plain")
        table = BlobTable(folder.path("stores.sqlite"))
        batched = BlobTable(folder.path("batches.sqlite"))
    }

    func run() throws -> Section {
        let (cache, plain, table, batched) = (cache, plain, table, batched)
        let base = "open, write, close, rename"
        var images: [TestImage] = []
        var made = 0
        let rounds = try Rounds(
            options.rounds,
            [
                Contestant(base) {
                    for image in images {
                        plain.write(image.png, "tmp/plain", "plain/" + FilledCache.name(image.key))
                    }
                },
                Contestant {
                    let start = Cost.now()
                    for image in images { try cache.store(image) }
                    let stored = Cost.now()
                    cache.flush()
                    return [("cache: store", stored - start), ("cache: store, with its rows", Cost.now() - start)]
                },
                Contestant("SQLite: INSERT, a transaction each") {
                    for image in images { table.insert(image.key.digest, image.png) }
                },
                Contestant("SQLite: INSERT, one transaction") {
                    batched.transaction { for image in images { batched.insert(image.key.digest, image.png) } }
                },
            ]
        ) {
            images = (made..<(made + options.stores)).map(TestImage.init)
            made += options.stores
        }
        var section = Section(
            "store: \(options.stores) entries of 20 KB a round", unit: "µs", rounds,
            scale: 1e6 / Double(options.stores),
            base: base)
        for name in ["cache: store", "cache: store, with its rows"] {
            section.targets.append(
                Section.Target(
                    what: "\(name.dropFirst(7)) over \(base)", figure: section[name]?.cpuRatio?.median ?? .nan,
                    target: 2,
                    unit: "x"))
        }
        return section
    }
}

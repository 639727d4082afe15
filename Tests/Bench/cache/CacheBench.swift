import Foundation

/// The cache against the plain file system and a SQLite table of blobs, in one run. See ../README.md.
@main
struct CacheBench {
    let options: Options
    let folder: WorkFolder
    var results: Results

    static func main() throws {
        let options: Options
        do { options = try Options(CommandLine.arguments.dropFirst()) } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(2)
        }
        if let cache = options.idle { return try IdleCache.report(cache) }
        var bench = CacheBench(options: options, folder: try WorkFolder(options.folder), results: Results(options))
        try bench.run()
        try options.json.map { try bench.results.write($0) }
    }

    private mutating func run() throws {
        defer { if !options.isKeeping { folder.remove() } }
        print(results.heading)
        var objects: FilledCache?
        if options.includes("hit") || options.includes("verify") {
            objects = try FilledCache(folder.path("filled"), entries: options.files)
        }
        if let objects, options.includes("hit") {
            show(try HitBench(objects, folder.path("hits.sqlite"), options).run())
        }
        if options.includes("store") { show(try StoreBench(folder, options).run()) }
        if let objects, options.includes("verify") { show(try VerifyBench(objects, options).run()) }
        if options.includes("index") || options.includes("memory") {
            let large = try LargeIndex(folder.path("large"), entries: options.entries)
            if options.includes("index") { show(try IndexBench(large, options).run()) }
            if options.includes("memory") { show(try MemoryBench(large, folder).run()) }
        }
        results.finish()
        print(results.verdicts)
    }

    private mutating func show(_ section: Section) {
        results.sections.append(section)
        print("\n\(section.table)")
    }
}

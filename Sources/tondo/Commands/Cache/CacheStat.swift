import ArgumentParser
import FoundationEssentials
import SystemPackage
import TondoCache

/// `tondo cache stat`
struct CacheStat: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stat", abstract: "Tells what is in the cache and how well it serves.",
        discussion: """
            Entries and their bytes, by style and size too; hits and misses of all programs so far; how much is free \
            below --max-size, or what 'tondo cache prune' would remove to get there; remembered failures (10,000 at most) \
            with their bytes and codes.

            \(ExitStatusText.text([0: "done"]))
            """)

    @OptionGroup var location: CacheLocation

    @Option(help: ArgumentHelp("The limit to compare with: 500MB, 2GiB.", valueName: "bytes"))
    var maxSize = ByteCount(AvatarCache.defaultMaxSize)

    @Flag(help: "One JSON object.")
    var json = false

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let cache = try location.open(&arguments)
        let (statistics, pruning) = try CacheFailure.telling {
            (try cache.statistics(), try cache.prune(maxSize: maxSize.bytes, isTrial: true))
        }
        if json {
            try StandardOutput.write(
                json: StatisticsDocument(cache.path.string, statistics, limit: maxSize.bytes, pruning: pruning))
        } else {
            let text = StatisticsText(statistics, limit: maxSize.bytes, pruning: pruning, now: Date())
            try StandardOutput.write(text.text(path: cache.path.string, width: StandardStreams.outputColumns))
        }
    }
}

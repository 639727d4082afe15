import ArgumentParser
import FoundationEssentials
import SystemPackage
import TondoCache

/// `tondo cache stat`
struct CacheStat: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stat", abstract: "Shows the size, the contents and the hit rate of the cache.",
        discussion: """
            EXAMPLES
              tondo cache stat                    what is in the cache
              tondo cache stat --max-size 500MB   and what a smaller one would evict

            Entries and their bytes, in total and by style and size; hits and misses of all processes so far; the free space \
            below --max-size, or what 'tondo cache prune' would evict to reach it; negative entries (10,000 at most) \
            with their bytes and codes.

            \(ExitStatusText.text([0: "done"]))
            """)

    @OptionGroup var location: CacheLocation

    @Option(help: ArgumentHelp("The size limit to compare with: 500MB, 2GiB.", valueName: "bytes"))
    var maxSize = ByteCount(AvatarCache.defaultMaxSize)

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let cache = try location.open(&arguments)
        let (statistics, pruning) = try CacheFailure.reporting {
            (try cache.statistics(), try cache.prune(maxSize: maxSize.bytes, isTrial: true))
        }
        if json {
            var report = CacheReport(statistics)
            report.path = cache.path.string
            report.limit = .init(maxSize.bytes, statistics, pruning: pruning)
            try StandardOutput.write(report: report)
        } else {
            let text = StatisticsText(statistics, limit: maxSize.bytes, pruning: pruning, now: Date())
            try StandardOutput.write(text.text(path: cache.path.string, width: StandardStreams.outputColumns))
        }
    }
}

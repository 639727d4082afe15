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
            below --max-size (by default the configured size), or what 'tondo cache prune' would evict to reach it; negative \
            entries (10,000 at most) with their bytes and codes.

            \(ExitStatusText.text([
                0: "done", ExitCode.misconfigured.rawValue: "an error in the configuration, which was to name the size",
            ]))
            """)

    @OptionGroup var location: CacheLocation

    @OptionGroup var file: SettingsFileOption

    @Option(
        help: ArgumentHelp(
            "The size limit to compare with: 500MB, 2GiB (default: cache-max-size of the configuration, else 1GiB).",
            valueName: "bytes"))
    var maxSize: ByteCount?

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let cache = try location.open(&arguments)
        let maxSize = try maxSize?.bytes ?? file.cacheSize
        let (statistics, pruning) = try CacheFailure.reporting {
            (try cache.statistics(), try cache.prune(maxSize: maxSize, isTrial: true))
        }
        if json {
            var report = CacheReport(statistics)
            report.path = cache.path.string
            report.limit = .init(bytes: maxSize, statistics: statistics, pruning: pruning)
            try StandardOutput.write(report: report)
        } else {
            let text = StatisticsText(statistics: statistics, limit: maxSize, pruning: pruning, now: Date())
            try StandardOutput.write(text.text(path: cache.path.string, width: StandardStreams.outputColumns))
        }
    }
}

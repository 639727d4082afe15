import ArgumentParser
import TondoCache

/// `tondo cache prune`
struct CachePrune: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune", abstract: "Evicts expired entries, then the least recently used ones.",
        discussion: """
            Entries that were not used for --max-age and older negative entries are evicted first. If the rest is larger \
            than --max-size, negative entries that are due for a retry and the least recently used entries follow until \
            90 % of --max-size is left. Negative entries count with their bytes. On a full disk the oldest files are \
            removed first.

            Without --max-size, the size is that of the service: cache-max-size of the configuration file, or \
            TONDO_CACHE_MAX_SIZE, which overrides it.

            EXAMPLES
              tondo cache prune                              keep to the configured size
              tondo cache prune --max-size 200MB --dry-run   show what would be removed
              tondo cache prune --max-age 30d                evict what was unused

            \(ExitStatusText.text([
                0: "done, even if there was nothing to remove",
                ExitCode.misconfigured.rawValue: "an error in the configuration, which was to name the size",
            ]))
            """)

    @OptionGroup var location: CacheLocation
    @OptionGroup var file: SettingsFileOption

    @Option(
        help: ArgumentHelp(
            "Maximum size of the cache: 500MB, 2GiB (default: cache-max-size of the configuration, else 1GiB).",
            valueName: "bytes"))
    var maxSize: ByteCount?

    @Option(help: ArgumentHelp("Maximum time since the last use of an entry: 90m, 12h, 30d, 1y.", valueName: "age"))
    var maxAge: Age?

    @Flag(help: "Show what would be removed, and remove nothing.")
    var dryRun = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let cache = try location.open(&arguments)
        let maxSize = try maxSize?.bytes ?? file.cacheSize
        let pruning = try CacheFailure.reporting {
            try cache.prune(maxSize: maxSize, maxAge: maxAge.map { Double($0.seconds) }, isTrial: dryRun)
        }
        if json { return try StandardOutput.write(json: PruningDocument(pruning: pruning, isTrial: dryRun)) }
        try StandardOutput.write(PruningText.text(of: pruning, isTrial: dryRun))
    }
}

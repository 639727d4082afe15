import ArgumentParser
import TondoCache

/// `tondo cache prune`
struct CachePrune: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune", abstract: "Makes room: removes what is old, then what was used least recently.",
        discussion: """
            Entries that were not used for --max-age go first, and failures remembered for longer than that. If the rest \
            is larger than --max-size, failures that are due to be tried again and the least recently used entries follow \
            until 90 % of it are left. Failures count with their bytes. On a full disk the oldest files go first.

            EXAMPLES
              tondo cache prune --max-size 200MB --dry-run   what would go?
              tondo cache prune --max-age 30d                forget faces nobody looks at

            \(ExitStatusText.text([0: "done, even if there was nothing to remove"]))
            """)

    @OptionGroup var location: CacheLocation

    @Option(help: ArgumentHelp("Bytes the cache may have: 500MB, 2GiB.", valueName: "bytes"))
    var maxSize = ByteCount(AvatarCache.defaultMaxSize)

    @Option(help: ArgumentHelp("How long an entry may go unused: 90m, 12h, 30d, 1y.", valueName: "age"))
    var maxAge: Age?

    @Flag(help: "Only tell what would be removed.")
    var dryRun = false

    @Flag(help: "One JSON object.")
    var json = false

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let cache = try location.open(&arguments)
        let pruning = try CacheFailure.telling {
            try cache.prune(maxSize: maxSize.bytes, maxAge: maxAge.map { Double($0.seconds) }, isTrial: dryRun)
        }
        if json { return try StandardOutput.write(json: PruningDocument(pruning, isTrial: dryRun)) }
        try StandardOutput.write(PruningText.text(pruning, isTrial: dryRun))
    }
}

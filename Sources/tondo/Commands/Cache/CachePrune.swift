import ArgumentParser
import TondoCache

/// `tondo cache prune`
struct CachePrune: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune", abstract: "Makes room: removes what is old, then what was used least recently.",
        discussion: """
            Entries that were not used for --max-age go first. If the rest is larger than --max-size, the least recently \
            used ones follow until 90 % of it are left. Remembered failures older than --max-age are forgotten, too.
            """)

    @OptionGroup var location: CacheLocation

    @Option(help: ArgumentHelp("Bytes the cache may have.", valueName: "bytes"))
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

/// `tondo cache clear`
struct CacheClear: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Removes all entries and remembered failures, or only the failures.",
        discussion: "Without --yes nothing is removed.")

    @OptionGroup var location: CacheLocation

    @Flag(help: "Forget failures only, so that those photos are tried again.")
    var failures = false

    @Flag(help: "Yes, remove them.")
    var yes = false

    @Flag(help: "One JSON object.")
    var json = false

    func validate() throws {
        if !yes {
            throw ValidationError(
                "This removes \(failures ? "all remembered failures" : "the whole cache"): add --yes.")
        }
    }

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let cache = try location.open(&arguments)
        let pruning = try CacheFailure.telling {
            var pruning = failures ? AvatarCache.Pruning() : try cache.clear()
            pruning.failures = try cache.clearFailures()
            return pruning
        }
        if json { return try StandardOutput.write(json: PruningDocument(pruning, isTrial: false)) }
        try StandardOutput.write(
            failures
                ? "\(PruningText.failures(pruning.failures)) forgotten\n" : PruningText.text(pruning, isTrial: false))
    }
}

/// What pruning did, for people.
enum PruningText {
    static func text(_ pruning: AvatarCache.Pruning, isTrial: Bool) -> String {
        let failures = pruning.failures > 0 ? ", \(Self.failures(pruning.failures))" : ""
        return "\(entries(pruning.entries)) (\(Quantities.bytes(pruning.bytes)))\(failures) "
            + "\(isTrial ? "would be removed" : "removed"); "
            + "\(entries(pruning.entriesLeft)) (\(Quantities.bytes(pruning.bytesLeft))) left\n"
    }

    static func failures(_ count: Int) -> String { count == 1 ? "1 failure" : "\(Quantities.count(count)) failures" }

    private static func entries(_ count: Int) -> String {
        count == 1 ? "1 entry" : "\(Quantities.count(count)) entries"
    }
}

private struct PruningDocument: Encodable {
    var removed: Int
    var bytes: Int
    var failures: Int
    var left: Int
    var bytesLeft: Int
    var dryRun: Bool

    init(_ pruning: AvatarCache.Pruning, isTrial: Bool) {
        (removed, bytes, failures) = (pruning.entries, pruning.bytes, pruning.failures)
        (left, bytesLeft, dryRun) = (pruning.entriesLeft, pruning.bytesLeft, isTrial)
    }
}

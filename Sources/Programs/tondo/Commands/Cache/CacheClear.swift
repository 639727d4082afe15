import ArgumentParser
import TondoCache

/// `tondo cache clear`
struct CacheClear: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Removes all entries, or only the negative entries (remembered failures).",
        discussion: """
            EXAMPLES
              tondo cache clear --failures --yes   try all broken photos again
              tondo cache clear --yes              an empty cache

            Without --yes nothing is removed. Avatars written to other folders stay. Later requests fill the cache again.

            \(ExitStatusText.text([0: "done, even if there was nothing to remove"]))
            """)

    @OptionGroup var location: CacheLocation

    @Flag(help: "Remove only the negative entries, so that those photos are retried.")
    var failures = false

    @Flag(name: .shortAndLong, help: "Confirm the removal.")
    var yes = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        if !yes {
            throw ValidationError(
                "This removes \(failures ? "all negative entries" : "the whole cache"): add --yes.")
        }
    }

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let cache = try location.open(&arguments)
        let pruning = try CacheFailure.reporting { try clear(cache) }
        if json { return try StandardOutput.write(json: PruningDocument(pruning: pruning, isTrial: false)) }
        try StandardOutput.write(
            failures
                ? "\(Quantities.counted(pruning.failures, of: "failure")) removed\n"
                : PruningText.text(of: pruning, isTrial: false))
    }

    private func clear(_ cache: AvatarCache) throws -> AvatarCache.Pruning {
        let forgotten = try cache.clearFailures()
        // A trial of pruning removes nothing, but reports how many entries remain.
        var pruning = try failures ? cache.prune(isTrial: true) : cache.clear()
        pruning.failures += forgotten
        return pruning
    }
}

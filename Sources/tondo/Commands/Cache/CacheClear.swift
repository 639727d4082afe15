import ArgumentParser
import TondoCache

/// `tondo cache clear`
struct CacheClear: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Removes all entries and remembered failures, or only the failures.",
        discussion: """
            Without --yes nothing is removed. Pictures that were written elsewhere stay; the cache fills again as it is used.

            \(ExitStatusText.text([0: "done, even if there was nothing to remove"]))
            """)

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
        let pruning = try CacheFailure.telling { try clear(cache) }
        if json { return try StandardOutput.write(json: PruningDocument(pruning, isTrial: false)) }
        try StandardOutput.write(
            failures
                ? "\(PruningText.failures(pruning.failures)) forgotten\n" : PruningText.text(pruning, isTrial: false))
    }

    private func clear(_ cache: AvatarCache) throws -> AvatarCache.Pruning {
        let forgotten = try cache.clearFailures()
        // Nothing is removed from the entries by a trial; it tells how many there are.
        var pruning = try failures ? cache.prune(isTrial: true) : cache.clear()
        pruning.failures += forgotten
        return pruning
    }
}

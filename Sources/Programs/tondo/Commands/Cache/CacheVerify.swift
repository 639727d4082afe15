import ArgumentParser
import Glibc
import TondoCache

/// `tondo cache verify`
struct CacheVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Checks every byte of the cache, and repairs problems with --repair.",
        discussion: """
            EXAMPLES
              tondo cache verify              report what is damaged
              tondo cache verify --repair     and remove it

            Checks the checksum of every entry. Finds files without an index row, rows without a file, files that do not \
            belong to the cache, and leftovers of killed processes in tmp. Other processes can use the cache meanwhile.

            \(ExitStatusText.text([
                0: "no problems", 1: "problems found; --repair fixes them unless reported otherwise",
                130: "interrupted",
            ]))
            """)

    @OptionGroup var location: CacheLocation

    @Flag(help: "Repair problems: remove damaged entries and leftovers, correct the index.")
    var repair = false

    @Flag(help: "Print one JSON object per problem, then the summary.")
    var json = false

    @Option(help: ArgumentHelp("When to show progress on standard error.", valueName: "when"))
    var progress = ProgressMode.auto

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let cache = try location.open(&arguments)
        let bar = VerificationProgress(progress)
        let isStopped = SharedFlag()
        let interrupts = Interrupts {
            isStopped.set()
        } again: {
            _exit(130)
        }
        let verification = try CacheFailure.reporting {
            defer { bar.clear() }
            return try cache.verify(isRepairing: repair) {
                bar.show($0, of: $1)
            } isStopped: {
                isStopped.isSet
            }
        }
        interrupts.end()
        try report(verification, isInterrupted: isStopped.isSet)
        if isStopped.isSet { throw ExitCode(130) }
        if !verification.isClean { throw ExitCode(1) }
    }

    private func report(_ verification: Verification, isInterrupted: Bool) throws {
        if json {
            for problem in verification.problems { try StandardOutput.write(json: ProblemDocument(problem)) }
            return try StandardOutput.write(
                json: VerificationDocument(verification: verification, isInterrupted: isInterrupted))
        }
        let text = VerificationText(verification: verification, isRepairing: repair, isInterrupted: isInterrupted)
        try StandardOutput.write(text.problems + text.summary)
    }
}

import ArgumentParser
import Glibc
import Synchronization
import TondoCache

/// `tondo cache verify`
struct CacheVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Checks every byte of the cache, and mends what is wrong if wanted.",
        discussion: """
            Checks the checksum of every entry, files without rows in the index, rows without files, what does not belong \
            into the folder, and what killed programs have left in tmp. May run while others use the cache.

            EXIT STATUS
              0    all is well
              1    something was wrong; with --repair it is mended unless it says otherwise
              130  interrupted
            """)

    @OptionGroup var location: CacheLocation

    @Flag(help: "Mend what is found: remove what is damaged or left behind, correct the index.")
    var repair = false

    @Flag(help: "One JSON object a problem, then the summary.")
    var json = false

    @Option(help: "Show progress on standard error: auto, always or never.")
    var progress = Convert.ProgressMode.auto

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
        let verification = try CacheFailure.telling {
            try cache.verify(isRepairing: repair) {
                bar.show($0, of: $1)
            } isStopped: {
                isStopped.isSet
            }
        }
        interrupts.end()
        bar.clear()
        for problem in verification.problems { try tell(problem) }
        if json {
            try StandardOutput.write(json: VerificationDocument(verification, isInterrupted: isStopped.isSet))
        } else {
            try StandardOutput.write(summary(verification, isInterrupted: isStopped.isSet))
        }
        if isStopped.isSet { throw ExitCode(130) }
        if !verification.isClean { throw ExitCode(1) }
    }

    private func tell(_ problem: Problem) throws {
        if json { return try StandardOutput.write(json: ProblemDocument(problem)) }
        let outcome = repair ? (problem.isRepaired ? " (mended)" : " (could not be mended)") : ""
        try StandardOutput.write(
            Terminal.printable("\(problem.kind.rawValue): \(problem.name): \(problem.reason)\(outcome)") + "\n")
    }

    private func summary(_ verification: Verification, isInterrupted: Bool) -> String {
        let entries = verification.entries == 1 ? "1 entry" : "\(Quantities.count(verification.entries)) entries"
        let looked =
            "\(isInterrupted ? "interrupted: " : "")\(entries), \(Quantities.bytes(verification.bytes)) checked"
        if verification.isClean { return "\(looked): all is well\n" }
        let index = verification.isIndexIntact ? "" : "; the index is damaged"
        let count = verification.problems.count
        let problems = count == 1 ? "1 problem" : "\(Quantities.count(count)) problems"
        let hint = repair ? ", \(verification.problems.count(where: \.isRepaired)) mended" : "; --repair mends them"
        return "\(looked): \(problems)\(index)\(hint)\n"
    }
}

/// Progress on standard error, from any thread.
private final class VerificationProgress: Sendable {
    private let meter = Mutex<ProgressMeter?>(nil)
    private let style: ProgressMeter.Style?

    init(_ mode: Convert.ProgressMode) {
        style =
            switch mode {
            case .never: nil
            case .always: .bar
            case .auto: Terminal.isInteractive ? .bar : nil
            }
    }

    func show(_ done: Int, of total: Int) {
        guard let style else { return }
        meter.withLock { meter in
            if meter == nil { meter = ProgressMeter(total: total, style: style, noun: "entries") }
            meter?.update(done: done, failed: 0)
        }
    }

    func clear() { meter.withLock { $0?.clear() } }
}

private struct ProblemDocument: Encodable {
    var event = "problem"
    var kind: String
    var key: String?
    var name: String
    var reason: String
    var repaired: Bool

    init(_ problem: Problem) {
        (kind, key, name) = (problem.kind.rawValue, problem.key?.hexadecimal, problem.name)
        (reason, repaired) = (problem.reason, problem.isRepaired)
    }
}

private struct VerificationDocument: Encodable {
    var event = "summary"
    var entries: Int
    var bytes: Int
    var problems: Int
    var repaired: Int
    var indexIntact: Bool
    var interrupted: Bool

    init(_ verification: Verification, isInterrupted: Bool) {
        (entries, bytes) = (verification.entries, verification.bytes)
        problems = verification.problems.count
        repaired = verification.problems.count(where: \.isRepaired)
        (indexIntact, interrupted) = (verification.isIndexIntact, isInterrupted)
    }
}

import Synchronization
import SystemPackage
import TondoAvatars
import TondoContacts
import TondoFiles

/// Reports a conversion to humans or scripts: failures and progress on standard error, results on standard output.
final class ConversionReporter: Sendable {
    private struct State {
        var summary = ConversionSummary()
        var meter: ProgressMeter?
    }

    private let state: Mutex<State>
    private let total: Int
    /// The output path, as the user wrote it.
    private let output: String
    private let isJSON: Bool
    private let isQuiet: Bool
    private let results: ResultOutput
    private let start = ContinuousClock().now

    /// `meter`: nil shows no progress. `stop` is called once results cannot be printed any more.
    init(
        total: Int, output: String, isJSON: Bool, isQuiet: Bool, meter: ProgressMeter?,
        stop: @escaping @Sendable () -> Void
    ) {
        self.total = total
        self.output = output
        self.isJSON = isJSON
        self.isQuiet = isQuiet
        results = ResultOutput(stop: stop)
        state = Mutex(State(meter: meter))
    }

    /// Failures and omissions before the first photo, such as an unreadable folder.
    func report(_ found: ConversionInputs) {
        state.withLock { state in
            state.summary.failed += found.failures.count + found.unread.count
            state.summary.photoless = found.photoless
            state.summary.unentered = found.unentered
            state.summary.groups = found.groups.count
        }
        for failure in found.failures {
            if isJSON { results.print(JSONLine.failure(failure)) }
            reportError(failure.path.string, message: failure.description)
        }
        for failure in found.unread {
            if isJSON { results.print(JSONLine.failure(failure)) }
            reportError(failure.place, message: "\(failure.error)")
        }
        if isQuiet { return }
        for group in found.groups { reportError(group, message: "left out: a group, which gets no avatar") }
    }

    /// Called in the order of the plan, one result at a time.
    func report(_ result: ConversionResult) {
        if result.status == .left { return }
        let messages = messages(result)
        let line = isJSON && result.status != .ignored ? JSONLine.result(result) : nil
        if result.failure?.isBrokenPipe == true { results.noteReaderGone() }
        if result.failure?.isOutputLost == true { results.noteLost() }
        state.withLock { state in
            state.summary.add(result)
            if line != nil || !messages.isEmpty { state.meter?.clear() }
        }
        if let line { results.print(line) }
        for message in messages { reportError(result.input.name, message: message) }
        state.withLock { state in
            state.meter?.update(done: state.summary.inputs, failed: state.summary.failed)
        }
    }

    private func messages(_ result: ConversionResult) -> [String] {
        if let failure = result.failure, result.status == .failed {
            return failure.isRepeated || failure.isBrokenPipe ? [] : [failure.message]
        }
        return isQuiet ? [] : result.warnings.map { "warning: \($0)" }
    }

    /// Confirms the interruption, since running jobs may take a while.
    func reportInterrupt() {
        if isQuiet { return }
        state.withLock { $0.meter?.clear() }
        Interrupts.reportFinishing()
    }

    /// Prints the summary.
    func finish(isInterrupted: Bool) -> ConversionSummary {
        let summary = state.withLock { state in
            state.meter?.clear()
            state.summary.isInterrupted = isInterrupted && results.isWhole
            state.summary.left = total - state.summary.inputs
            state.summary.seconds = (ContinuousClock().now - start) / .seconds(1)
            return state.summary
        }
        if isJSON {
            results.print(JSONLine.summary(summary, output: output))
        } else if !isQuiet {
            results.print(Terminal.printable(SummaryText.text(of: summary, output: output)))
        }
        return summary
    }

    /// Standard output accepted everything so far.
    var isOutputWhole: Bool { results.isWhole }

    /// The reader of standard output closed it; only the exit status reports that.
    var isReaderGone: Bool { results.isReaderGone }

    private func reportError(_ name: String, message: String) {
        Terminal.write("tondo: \(Terminal.printable(name)): \(Terminal.printable(message))\n")
    }
}

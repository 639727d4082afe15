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
        var hasLostOutput = false
        /// The reader of standard output closed it.
        var isReaderGone = false
    }

    private let state: Mutex<State>
    private let total: Int
    /// The output path, as the user wrote it.
    private let output: String
    private let isJSON: Bool
    private let isQuiet: Bool
    private let stop: @Sendable () -> Void
    private let start = ContinuousClock().now

    /// `meter`: nil shows no progress. `stop` is called once results cannot be printed any more.
    init(
        total: Int, output: String, isJSON: Bool, isQuiet: Bool, meter: ProgressMeter?,
        stop: @escaping @Sendable () -> Void
    ) {
        (self.total, self.output) = (total, output)
        (self.isJSON, self.isQuiet, self.stop) = (isJSON, isQuiet, stop)
        state = Mutex(State(meter: meter))
    }

    /// Failures and omissions before the first photo, such as an unreadable folder.
    func report(_ found: ConversionInputs) {
        state.withLock { state in
            state.summary.failed += found.failures.count + found.unread.count
            state.summary.photoless = found.photoless
            state.summary.unentered = found.unentered
        }
        for failure in found.failures {
            if isJSON { print(JSONLine.failure(failure)) }
            reportError(failure.path.string, failure.description)
        }
        for failure in found.unread {
            if isJSON { print(JSONLine.failure(failure)) }
            reportError(failure.place, "\(failure.error)")
        }
    }

    /// Called in the order of the plan, one result at a time.
    func report(_ result: ConversionResult) {
        if result.status == .left { return }
        let messages = messages(result)
        let line = isJSON && result.status != .ignored ? JSONLine.result(result) : nil
        state.withLock { state in
            state.summary.add(result)
            if result.failure?.isBrokenPipe == true { state.isReaderGone = true }
            if line != nil || !messages.isEmpty { state.meter?.clear() }
        }
        if let line { print(line) }
        for message in messages { reportError(result.input.name, message) }
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
        Terminal.write("tondo: interrupted; finishing the photos in progress (interrupt again to quit at once)\n")
    }

    /// Prints the summary.
    func finish(isInterrupted: Bool) -> ConversionSummary {
        let summary = state.withLock { state in
            state.meter?.clear()
            state.summary.isInterrupted = isInterrupted && !state.hasLostOutput
            state.summary.left = total - state.summary.inputs
            state.summary.seconds = (ContinuousClock().now - start) / .seconds(1)
            return state.summary
        }
        if isJSON {
            print(JSONLine.summary(summary, output: output))
        } else if !isQuiet {
            print(Terminal.printable(SummaryText.text(summary, output: output)))
        }
        return summary
    }

    /// Standard output accepted everything so far.
    var isOutputWhole: Bool { state.withLock { !$0.hasLostOutput } }

    /// The reader of standard output closed it; only the exit status reports that.
    var isReaderGone: Bool { state.withLock { $0.isReaderGone } }

    /// Prints one line on standard output. After a failure nothing more is printed.
    private func print(_ line: String) {
        guard isOutputWhole else { return }
        do {
            try FileDescriptor.standardOutput.writeAll((line + "\n").utf8)
        } catch {
            state.withLock { state in
                state.hasLostOutput = true
                state.isReaderGone = error as? Errno == .brokenPipe
                state.meter?.clear()
            }
            StandardOutput.reportError(error)
            stop()
        }
    }

    private func reportError(_ name: String, _ message: String) {
        Terminal.write("tondo: \(Terminal.printable(name)): \(Terminal.printable(message))\n")
    }
}

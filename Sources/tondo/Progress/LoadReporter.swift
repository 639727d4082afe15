import ArgumentParser
import Dispatch
import Synchronization
import SystemPackage
import TondoAvatars

/// Tells people or scripts what a load does: failures and progress on standard error, events on standard output.
final class LoadReporter: Sendable {
    private struct State {
        var counts = LoadMeter.Counts()
        var meter: LoadMeter?
        var summary: LoadSummary?
        var known: Set<String> = []
        var lastDone: String?
        var isInterrupted = false
        var hasLostOutput = false
        var error: LoadError?
        var stop: @Sendable () -> Void = {}
    }

    private let state: Mutex<State>
    private let isJSON: Bool
    private let isQuiet: Bool
    private let isWatching: Bool
    private let ended = DispatchSemaphore(value: 0)

    /// `meter`: nil shows no progress.
    init(isJSON: Bool, isQuiet: Bool, meter: LoadMeter?, isWatching: Bool) {
        (self.isJSON, self.isQuiet, self.isWatching) = (isJSON, isQuiet, isWatching)
        state = Mutex(State(meter: meter))
    }

    /// `stop` is called once nothing can be told any more.
    func whenOutputFails(_ stop: @escaping @Sendable () -> Void) { state.withLock { $0.stop = stop } }

    func interrupt() {
        state.withLock { state in
            state.isInterrupted = true
            state.meter?.clear()
        }
        let isOver = state.withLock { $0.summary != nil }
        if !isQuiet, !isOver {
            Terminal.write("tondo: interrupted; finishing the photos begun (once more ends at once)\n")
        }
    }

    func fail(_ error: LoadError) {
        state.withLock { $0.error = error }
        ended.signal()
    }

    /// One at a time, in their order. Nil: the end.
    func tell(_ told: (event: LoaderEvent, number: UInt64)?) {
        guard let (event, number) = told else {
            ended.signal()
            return
        }
        if isJSON { print(String(decoding: event.json(number: number), as: UTF8.self)) }
        count(event)
        // The end is shown however soon it comes, and before anything is printed.
        state.withLock { $0.meter?.update($0.counts, isLast: event.name == "finished") }
        complain(event)
        if !isJSON, !isQuiet { showChange(event) }
    }

    /// Blocks until the load is over; gives the status to end with.
    func wait() -> ExitCode {
        ended.wait()
        return state.withLock { state in
            state.meter?.clear()
            if let error = state.error {
                Terminal.complain(error.message)
                return ExitCode(66)
            }
            // To end the watching is no interruption.
            if state.isInterrupted, state.summary == nil { return ExitCode(130) }
            return state.counts.failed > 0 || state.hasLostOutput ? ExitCode(1) : .success
        }
    }

    private func count(_ event: LoaderEvent) {
        state.withLock { state in
            switch event {
            case .total(let total): state.counts.total = total
            case .contact(_, let contact):
                state.counts.people += 1
                if isWatching { state.known.insert(contact.id) }
            case .contactFailed, .avatarFailed: state.counts.failed += 1
            case .avatar(let avatar):
                state.counts.faces += 1
                if avatar.source == .cache { state.counts.cached += 1 } else { state.counts.drawn += 1 }
                if state.lastDone != avatar.contact { state.counts.done += 1 }
                state.lastDone = avatar.contact
            case .finished(let summary): state.summary = summary
            case .contactChanged, .contactRemoved: break
            }
        }
    }

    private func complain(_ event: LoaderEvent) {
        switch event {
        case .contactFailed(let failure):
            let place = failure.line.map { "\(failure.file):\($0)" } ?? failure.file
            Terminal.complain("\(place): \(failure.message)")
        case .avatarFailed(let failure): Terminal.complain("\(failure.contact): \(failure.message)")
        case .finished(let summary) where !isJSON && !isQuiet:
            state.withLock { $0.meter?.clear() }
            print(LoadText.text(summary))
            if isWatching { print("watching; Ctrl-C ends it") }
        default: break
        }
    }

    private func showChange(_ event: LoaderEvent) {
        switch event {
        case .contactChanged(let contact):
            let isNew = state.withLock { $0.known.insert(contact.id).inserted }
            print("\(isNew ? "new" : "changed"): \(contact.displayName) (\(contact.id))")
        case .contactRemoved(let id):
            state.withLock { _ = $0.known.remove(id) }
            print("removed: \(id)")
        default: break
        }
    }

    /// One line on standard output. Once that fails nothing more is tried.
    private func print(_ line: String) {
        let hasLostOutput = state.withLock { $0.hasLostOutput }
        if hasLostOutput { return }
        do {
            let line = isJSON ? line : Terminal.printable(line)
            if !isJSON { Terminal.clearBar() }
            try FileDescriptor.standardOutput.writeAll((line + "\n").utf8)
        } catch {
            let reason = "\(error)"
            let stop = state.withLock { state in
                state.hasLostOutput = true
                return state.stop
            }
            Terminal.complain(
                "standard output: cannot be written: \(reason.prefix(1).lowercased() + reason.dropFirst())")
            stop()
        }
    }
}

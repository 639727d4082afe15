import ArgumentParser
import Dispatch
import Synchronization
import SystemPackage
import TondoAvatars
import TondoContacts
import TondoFiles

/// Reports a load to humans or scripts: failures and progress on standard error, events on standard output.
final class LoadReporter: Sendable {
    private struct State {
        var counts = LoadMeter.Counts()
        var meter: LoadMeter?
        var summary: LoadSummary?
        /// The names of contacts in messages, by their ids.
        var labels: [String: String] = [:]
        /// Ids from the command line that have not appeared.
        var expected: Set<String>
        var lastDone: String?
        var isInterrupted = false
        var error: LoadError?
        var lastNumber: UInt64
    }

    private let state: Mutex<State>
    private let isJSON: Bool
    private let isQuiet: Bool
    private let isWatching: Bool
    /// The folder of the book, for the files in messages; empty for a book of one file.
    private let folder: FilePath
    /// The number of the last event of the books before this one.
    private let base: UInt64
    private let results: ResultOutput
    private let ended = DispatchSemaphore(value: 0)

    /// `meter`: nil shows no progress. `expected`: ids from the command line. `base`: the number of the last event before
    /// this load. `stop` is called once nothing can be printed any more.
    init(
        _ book: FilePath, isJSON: Bool, isQuiet: Bool, meter: LoadMeter?, isWatching: Bool,
        expecting expected: Set<String>,
        after base: UInt64 = 0, stop: @escaping @Sendable () -> Void
    ) {
        self.isJSON = isJSON
        self.isQuiet = isQuiet
        self.isWatching = isWatching
        self.base = base
        folder = Self.folder(of: book)
        results = ResultOutput(stop: stop)
        state = Mutex(State(meter: meter, expected: expected, lastNumber: base))
    }

    /// The number of the last event so far.
    var lastNumber: UInt64 { state.withLock { $0.lastNumber } }

    func interrupt() {
        state.withLock { state in
            state.isInterrupted = true
            state.meter?.clear()
        }
        let isOver = state.withLock { $0.summary != nil }
        if !isQuiet, !isOver { Interrupts.reportFinishing() }
    }

    func fail(_ error: LoadError) {
        state.withLock { $0.error = error }
        ended.signal()
    }

    /// One event at a time, in their order. Nil: the end.
    func report(_ delivered: (event: LoaderEvent, number: UInt64)?) {
        guard let (event, number) = delivered else {
            results.flush()
            ended.signal()
            return
        }
        state.withLock { $0.lastNumber = base + number }
        if isJSON { results.collect(event.json(number: base + number)) }
        count(event)
        // The end is shown even if it comes soon, and before anything is printed.
        state.withLock { $0.meter?.update($0.counts, isLast: event.name == "finished") }
        reportError(event)
        if !isJSON, !isQuiet { showChange(event) }
    }

    /// Shown behind the progress.
    func note(_ text: String) {
        state.withLock { state in
            state.counts.note = text
            state.meter?.update(state.counts)
        }
    }

    /// No further event is there for now.
    func pause() { results.flush() }

    /// Blocks until the load is finished; returns the exit status.
    func wait() -> ExitCode {
        ended.wait()
        return state.withLock { state in
            state.meter?.clear()
            if let error = state.error {
                Terminal.reportError(error.message)
                return ExitCode(66)
            }
            if results.isReaderGone { return .readerGone }
            // Ending the watching is not an interruption.
            if state.isInterrupted, state.summary == nil { return ExitCode(130) }
            if !results.isWhole { return .inputOutput }
            return state.counts.failed > 0 ? ExitCode(1) : .success
        }
    }

    private func count(_ event: LoaderEvent) {
        state.withLock { state in
            switch event {
            case .total(let total): state.counts.total = total
            case .contact(_, let contact):
                state.counts.people += 1
                state.labels[contact.id] = label(contact)
                state.expected.remove(contact.id)
            case .contactFailed: state.counts.failed += 1
            case .avatarFailed(let failure): state.counts.failed += failure.tally.failed
            case .avatar(let avatar):
                state.counts.failed += avatar.tally.failed
                guard avatar.tally.ready > 0 else { break }
                state.counts.avatars += 1
                if avatar.source == .cache { state.counts.cached += 1 } else { state.counts.drawn += 1 }
                if state.lastDone != avatar.contact { state.counts.done += 1 }
                state.lastDone = avatar.contact
            case .finished(let summary): state.summary = summary
            case .contactChanged, .contactRemoved: break
            }
        }
    }

    private func reportError(_ event: LoaderEvent) {
        switch event {
        case .contactFailed(let failure):
            let place = Self.place(FilePath(failure.file), failure.line, in: folder)
            Terminal.reportError("\(place): \(failure.message)")
        case .avatarFailed(let failure):
            let label = state.withLock { $0.labels[failure.contact] } ?? failure.contact
            Terminal.reportError("\(label): \(failure.message)")
        case .finished: reportMissing()
        default: break
        }
    }

    /// Reports ids of the command line that did not appear, and an empty book.
    private func reportMissing() {
        let (counts, missing) = state.withLock { ($0.counts, $0.expected.sorted()) }
        for id in missing { Terminal.reportError("--first \(id): no contact has this id") }
        if counts.total == 0, counts.failed == 0 {
            Terminal.reportError("no contacts found; 'tondo convert' converts a folder of photos")
        }
    }

    /// `book/ada.vcf:1: Ada Lovelace`.
    private func label(_ contact: Contact) -> String {
        let name = contact.displayName.isEmpty ? contact.id : contact.displayName
        return contact.place.map { "\(Self.place($0.file, $0.line, in: folder)): \(name)" } ?? name
    }

    /// The folder that the names of a book's files are relative to.
    static func folder(of book: FilePath) -> FilePath {
        FileStatus(book)?.kind == .folder ? book : book.removingLastComponent()
    }

    /// With the book's folder: several books may have files of one name.
    static func place(_ file: FilePath, _ line: Int?, in folder: FilePath) -> String {
        let path = folder.pushing(file)
        return line.map { "\(path):\($0)" } ?? path.string
    }

    private func showChange(_ event: LoaderEvent) {
        switch event {
        case .contactChanged(_, let contact):
            let old = state.withLock { $0.labels.updateValue(label(contact), forKey: contact.id) }
            print("\(old == nil ? "new" : "changed"): \(contact.displayName) (\(contact.id))")
        case .contactRemoved(let id):
            state.withLock { _ = $0.labels.removeValue(forKey: id) }
            print("removed: \(id)")
        case .finished(let summary):
            state.withLock { $0.meter?.clear() }
            print(LoadText.text(of: summary))
            if isWatching { print("watching for changes; Ctrl-C ends it") }
        default: break
        }
    }

    /// Prints one line for humans.
    private func print(_ line: String) {
        Terminal.clearBar()
        results.print(Terminal.printable(line))
    }
}

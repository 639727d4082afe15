import ArgumentParser
import Dispatch
import Glibc
import Synchronization
import TondoAvatars
import TondoFiles

/// Turns SIGINT and SIGTERM into calls on a thread of its own.
final class Interrupts {
    private let sources: [any DispatchSourceSignal]
    private let numbers: [Int32]

    /// `first` is called for the first signal, `again` for each further one. A signal that the parent had ignored
    /// (`nohup`, a shell's background job) stays ignored.
    init(first: @escaping @Sendable () -> Void, again: @escaping @Sendable () -> Void) {
        let queue = DispatchQueue(label: "tondo.signals")
        let count = SignalCount()
        numbers = [SIGINT, SIGTERM, SIGHUP].filter { !Self.isIgnored($0) }
        sources = numbers.map { number in
            // Dispatch reads signals from a descriptor; the default action would end the process before.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { @Sendable in count.isFirst() ? first() : again() }
            source.resume()
            return source
        }
    }

    /// For commands that change files one after another: the first signal raises the flag, which ends the command behind the
    /// file in progress. The second one ends it at once.
    convenience init(raising flag: SharedFlag) {
        self.init {
            flag.set()
            Self.reportFinishing("file")
        } again: {
            Self.quit()
        }
    }

    /// For commands of which nothing is to be left: the first signal ends them.
    static func quitting() -> Interrupts {
        Interrupts {
            quit()
        } again: {
            quit()
        }
    }

    /// Ends the program without a temporary file of its own.
    static func quit() -> Never {
        AtomicFile.abandon()
        _exit(130)
    }

    /// Confirms an interruption, since running jobs may take a while.
    static func reportFinishing(_ work: String = "photos") {
        Terminal.write("tondo: interrupted; finishing the \(work) in progress (interrupt again to quit at once)\n")
    }

    /// Reports what an interrupted command left as it was, and ends it with 130. `problems`: of all contacts.
    static func check(_ problems: [ChangeProblem?]) throws {
        try check(left: problems.count { $0 == .interrupted })
    }

    /// `left`: the number of contacts that the command did not come to.
    static func check(left: Int) throws {
        if left == 0 { return }
        Terminal.reportError("interrupted: \(Quantities.counted(left, of: "contact")) left unchanged")
        throw ExitCode(130)
    }

    /// Restores contacts until the first signal.
    static func restoring(
        _ items: [Trash.Item], from trash: Trash
    ) -> [Result<ContactRestoration.Outcome, ChangeProblem>] {
        let stop = SharedFlag()
        let interrupts = Interrupts(raising: stop)
        defer { interrupts.end() }
        var restoration = ContactRestoration(trash)
        restoration.isStopped = { stop.isSet }
        return restoration.restore(items)
    }

    /// Restores the default: signals end the program again.
    func end() {
        for source in sources { source.cancel() }
        for number in numbers { signal(number, SIG_DFL) }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        // SIG_IGN has the address 1; Swift cannot compare functions.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}

extension Result where Failure == ChangeProblem {
    var problem: ChangeProblem? { if case .failure(let problem) = self { problem } else { nil } }
}

/// Distinguishes the first signal from the others.
private final class SignalCount: @unchecked Sendable {
    // Safe because it is used on the serial queue of the signals only.
    private var seen = 0

    func isFirst() -> Bool {
        seen += 1
        return seen == 1
    }
}

/// A flag that one thread raises and others see.
final class SharedFlag: Sendable {
    private let value = Atomic<Bool>(false)

    func set() { value.store(true, ordering: .relaxed) }

    var isSet: Bool { value.load(ordering: .relaxed) }
}

import Dispatch
import Glibc

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
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { @Sendable in count.isFirst() ? first() : again() }
            source.resume()
            return source
        }
    }

    /// Restores the default: signals end the program again.
    func end() {
        for source in sources { source.cancel() }
        for number in numbers { signal(number, SIG_DFL) }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
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

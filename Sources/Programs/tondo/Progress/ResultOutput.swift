import Synchronization
import SystemPackage

/// Standard output, for the results of a long task, line by line. After a failure nothing more is printed. Lines are collected by
/// one thread at a time; everything else is usable from any thread.
final class ResultOutput: Sendable {
    private enum State { case whole, lost, readerGone }

    private let state = Mutex(State.whole)
    private let collected = Mutex<[UInt8]>([])
    /// Bytes that are collected before they are written in any case.
    private static let piece = 64 << 10
    private let stop: @Sendable () -> Void

    /// `stop` is called once nothing can be printed any more.
    init(stop: @escaping @Sendable () -> Void) { self.stop = stop }

    /// Everything so far was accepted.
    var isWhole: Bool { state.withLock { $0 == .whole } }

    /// The reader closed it; only the exit status reports that.
    var isReaderGone: Bool { state.withLock { $0 == .readerGone } }

    /// The reader closed it, found elsewhere.
    func noteReaderGone() { state.withLock { $0 = .readerGone } }

    /// It cannot be written, found and reported elsewhere.
    func noteLost() { state.withLock { if $0 == .whole { $0 = .lost } } }

    /// Prints a line.
    func print(_ line: String) {
        flush()
        write(Array(line.utf8) + [0x0A])
    }

    /// Prints a line with the next `flush`, or earlier.
    func collect(_ line: [UInt8]) {
        // Events that are there at once are written at once, which saves a call for each.
        let isFull = collected.withLock { collected in
            collected += line
            collected.append(0x0A)
            return collected.count >= Self.piece
        }
        if isFull { flush() }
    }

    func flush() {
        let lines = collected.withLock { collected in
            defer { collected = [] }
            return collected
        }
        if !lines.isEmpty { write(lines) }
    }

    private func write(_ lines: [UInt8]) {
        guard isWhole else { return }
        do {
            try FileDescriptor.standardOutput.writeAll(lines)
        } catch {
            state.withLock { $0 = error as? Errno == .brokenPipe ? .readerGone : .lost }
            Terminal.clearBar()
            StandardOutput.reportError(error)
            stop()
        }
    }
}

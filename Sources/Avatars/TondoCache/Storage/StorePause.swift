internal import FoundationEssentials
internal import Synchronization

/// Nothing is stored for half a minute after the disk was full or the folder could not be created again: a retry with
/// every store would cost as much as a store. Usable from any thread.
final class StorePause: Sendable {
    /// Seconds.
    private static let length = 30.0

    private let now: @Sendable () -> Date
    private let rows: PendingRows
    private let diagnostics: DiagnosticSink
    private let state = Mutex<(until: Date, error: CacheError)?>(nil)

    init(now: @escaping @Sendable () -> Date, rows: PendingRows, diagnostics: DiagnosticSink) {
        self.now = now
        self.rows = rows
        self.diagnostics = diagnostics
    }

    /// A full disk also has a flush made soon, which may make room before the pause ends.
    func begin(_ error: CacheError) {
        let until = now().addingTimeInterval(Self.length)
        state.withLock { $0 = (until, error) }
        diagnostics.report(.stoppedStoring(error), once: error.code)
        if error.isFull { rows.flushSoon() }
    }

    /// Throws the error of the pause.
    func check() throws(CacheError) {
        let now = now()
        try state.withLock { state throws(CacheError) in
            // A longer pause is possible only after the clock was put back.
            if let (until, error) = state, now < until, until <= now.addingTimeInterval(Self.length) { throw error }
            state = nil
        }
    }

    /// The disk was full.
    var isForLackOfRoom: Bool { state.withLock { $0?.error.isFull == true } }

    /// There is room again before the pause ends.
    func endWithRoom() {
        state.withLock { if $0?.error.isFull == true { $0 = nil } }
    }
}

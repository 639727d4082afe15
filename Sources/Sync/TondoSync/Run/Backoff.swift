/// When an automatic run may ask a server again after failures; a run by hand always may.
package enum Backoff {
    private static let shortest = 60
    private static let longest = 3_600
    /// After a refused password, if what was refused could not be noted, see `Refusal`.
    private static let refused = 86_400

    /// Seconds. `failures`: runs in a row, this one included.
    package static func seconds(after error: SyncError, failures: Int) -> Int {
        // Ten doublings are beyond the longest pause; more could overflow.
        let grown = min(shortest << min(max(failures - 1, 0), 10), longest)
        switch error {
        case _ where error.isRefusal: return refused
        case .later(let seconds): return max(seconds, grown)
        case .cancelled, .mirror: return 0
        default: return grown
        }
    }
}

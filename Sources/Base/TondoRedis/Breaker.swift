/// Decides whether an attempt is made after errors: a value without clock and lock.
///
/// Closed: every attempt is made. After some errors in a row it opens: attempts are refused until a back-off is over, which
/// doubles with every failed probe. Then one attempt at a time probes; a success closes it.
package struct Breaker: Sendable, Equatable {
    /// The caller passes the time, so that tests need no clock.
    package typealias Instant = ContinuousClock.Instant

    /// `open`: attempts are refused. `probing`: one attempt is under way, and all others are refused.
    package enum State: String, Sendable { case closed, open, probing }

    /// When the breaker opens, and how long it refuses attempts.
    package struct Options: Sendable, Equatable {
        /// Errors in a row that open it.
        package var errors = 3
        /// The pause after it opens. Each failed probe doubles it, up to `longestPause`.
        package var firstPause = Duration.milliseconds(100)
        /// Bounds the time until recovery is noticed.
        package var longestPause = Duration.seconds(1)

        package init() {}
    }

    /// Stays `open` after the pause is over, until an attempt probes.
    package private(set) var state = State.closed
    private var errors = 0
    private var pause = Duration.zero
    private var until: Instant?
    private let options: Options

    package init(_ options: Options = Options()) { self.options = options }

    /// Whether an attempt may be made; then its result has to be reported.
    package mutating func admits(at now: Instant) -> Bool {
        switch state {
        case .closed: return true
        case .probing: return false
        case .open:
            guard let until, now >= until else { return false }
            state = .probing
            return true
        }
    }

    /// An attempt succeeded, of whatever time. True: it was open.
    @discardableResult
    package mutating func succeeded() -> Bool {
        let wasOpen = state != .closed
        state = .closed
        errors = 0
        pause = .zero
        until = nil
        return wasOpen
    }

    /// An attempt failed. True: it opens now, and was closed. `jitter`, from 0 to 1, shortens the pause by a quarter at
    /// most, so that instances do not probe together.
    @discardableResult
    package mutating func failed(at now: Instant, jitter: Double = 0) -> Bool {
        switch state {
        // An attempt from before it opened.
        case .open: return false
        case .probing: pause = min(pause * 2, options.longestPause)
        case .closed:
            errors += 1
            guard errors >= options.errors else { return false }
            pause = options.firstPause
        }
        defer { state = .open }
        until = now + pause * (1 - jitter / 4)
        return state == .closed
    }

    /// An attempt ended without a word about Redis: it got no connection of the pool, say.
    package mutating func abandoned() { if state == .probing { state = .open } }
}

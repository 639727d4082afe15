internal import NIOCore

/// The deadlines of a connection, as a value without a clock.
///
/// There is no deadline while a response is being made, since the client cannot speed it up. There is one for a client
/// that sends a head or a body slowly, that reads its response slowly, or that stays idle.
struct ConnectionTimes {
    enum Reading: Equatable { case nothing, head, body }

    /// In each such time a client has to take some of its pending response.
    private struct Window {
        var end: NIODeadline
        /// What the client had taken when it began.
        var taken: Int
    }

    private let limits: ConnectionLimits
    private(set) var reading = Reading.nothing
    /// Requests without a complete response.
    private(set) var unanswered = 0
    private var due: NIODeadline
    private var window: Window?
    private var lingering = false

    init(limits: ConnectionLimits, now: NIODeadline) {
        self.limits = limits
        due = now + limits.idle
    }

    /// When to close the connection if nothing happens before; nil: no deadline.
    var deadline: NIODeadline? {
        // A client that takes its response is not idle, however long that lasts.
        let isIdle = unanswered == 0 && window == nil
        let read = lingering || reading == .body || reading == .head && unanswered == 0 || isIdle ? due : nil
        guard let window else { return read }
        return read.map { min($0, window.end) } ?? window.end
    }

    mutating func bytesArrived(_ now: NIODeadline) {
        guard reading == .nothing, !lingering else { return }
        reading = .head
        due = now + limits.head
    }

    /// `body`: the time for the body; nil: the usual one.
    mutating func headEnded(_ now: NIODeadline, body: TimeAmount? = nil) {
        unanswered += 1
        reading = .body
        if !lingering { due = now + (body ?? limits.body) }
    }

    mutating func requestEnded(_ now: NIODeadline) { reading = .nothing }

    mutating func responded(_ now: NIODeadline) {
        unanswered -= 1
        guard unanswered == 0, !lingering, reading != .body else { return }
        due = now + (reading == .head ? limits.head : limits.idle)
    }

    /// `bytes`: of responses, that the client has not taken. `taken`: what it has taken since the connection began. Progress at
    /// less than the minimum rate does not put off the end of the window.
    mutating func pending(_ bytes: Int, taken: Int, isPressed: Bool, now: NIODeadline) {
        guard bytes > 0 else {
            if window != nil, unanswered == 0, reading == .nothing, !lingering { due = now + limits.idle }
            window = nil
            return
        }
        guard let window else {
            window = Window(end: now + limits.stall, taken: taken)
            return
        }
        let rate = isPressed ? limits.pressedRate : limits.rate
        let enough = Int(limits.stall.nanoseconds) / 1_000_000_000 * rate
        if now >= window.end, taken - window.taken >= enough {
            self.window = Window(end: now + limits.stall, taken: taken)
        }
    }

    /// The last response is written; the client may read it before the connection closes.
    mutating func linger(_ now: NIODeadline) {
        lingering = true
        due = now + limits.linger
    }
}

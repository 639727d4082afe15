internal import NIOCore

/// The deadlines of a connection, as a value without a clock.
///
/// There is no deadline while a response is being made, since the client cannot speed it up. There is one for a client
/// that sends a head or a body slowly, that does not read its response, or that stays idle.
struct ConnectionTimes {
    enum Reading: Equatable { case nothing, head, body }

    private let limits: ConnectionLimits
    private(set) var reading = Reading.nothing
    /// Requests without a complete response.
    private(set) var unanswered = 0
    private var due: NIODeadline
    private var stalled: NIODeadline?
    private var lingering = false

    init(limits: ConnectionLimits, now: NIODeadline) {
        self.limits = limits
        due = now + limits.idle
    }

    /// When to close the connection if nothing happens before; nil: no deadline.
    var deadline: NIODeadline? {
        let read = lingering || reading == .body || unanswered == 0 ? due : nil
        guard let stalled else { return read }
        return read.map { min($0, stalled) } ?? stalled
    }

    mutating func bytesArrived(_ now: NIODeadline) {
        guard reading == .nothing, !lingering else { return }
        reading = .head
        due = now + limits.head
    }

    mutating func headEnded(_ now: NIODeadline) {
        unanswered += 1
        reading = .body
        if !lingering { due = now + limits.body }
    }

    mutating func requestEnded(_ now: NIODeadline) { reading = .nothing }

    mutating func responded(_ now: NIODeadline) {
        unanswered -= 1
        guard unanswered == 0, !lingering, reading != .body else { return }
        due = now + (reading == .head ? limits.head : limits.idle)
    }

    mutating func becameWritable(_ writable: Bool, _ now: NIODeadline) {
        stalled = writable ? nil : stalled ?? now + limits.stall
    }

    /// The last response is written; the client may read it before the connection closes.
    mutating func linger(_ now: NIODeadline) {
        lingering = true
        due = now + limits.linger
    }
}

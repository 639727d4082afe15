/// Why a command has no reply. Every one of them means for a request: go on without Redis.
package enum RedisError: Error, Sendable, Equatable {
    /// No connection; `reason` is the text of the system error.
    case unreachable(reason: String)
    /// No complete reply by the deadline.
    case timedOut
    /// The server closed the connection.
    case closed
    /// Not RESP2, or a reply of an unexpected type or size.
    case malformed(String)
    /// The server's error, which begins with a code.
    case refused(String)
    /// The server refused AUTH or SELECT, with which each connection begins: no command can be run.
    case denied(String)
    /// The breaker is open: no attempt was made.
    case suspended
    /// All connections were in use until the deadline.
    case busy

    /// Stable, for logs and metrics.
    package var code: String {
        switch self {
        case .unreachable: "unreachable"
        case .timedOut: "timed-out"
        case .closed: "closed"
        case .malformed: "malformed"
        case .refused, .denied: "refused"
        case .suspended: "suspended"
        case .busy: "busy"
        }
    }

    /// Redis itself is out of order: the breaker counts it. A command that Redis refuses for its own sake is no outage.
    package var isOutage: Bool {
        switch self {
        case .unreachable, .timedOut, .closed, .malformed, .denied: true
        case .suspended, .busy: false
        case .refused(let text): Self.outages.contains { text.hasPrefix($0 + " ") }
        }
    }

    /// It may be repeated for as long as the caller can wait: an outage, or a server that takes no writes now.
    package var isTemporary: Bool {
        guard case .refused(let text) = self else { return isOutage }
        return isOutage || Self.refusals.contains { text.hasPrefix($0) }
    }

    /// What begins the errors of a server without enough replicas, of one that could not save its data, of a Redis Cluster that
    /// moves a slot, and of one with too many clients.
    private static let refusals = ["NOREPLICAS ", "MISCONF ", "TRYAGAIN ", "ERR max number of clients"]

    /// Codes of a server that cannot serve any command now, or not to this user.
    private static let outages = [
        // UNBLOCKED ends a blocking command when the server becomes a replica.
        "LOADING", "MASTERDOWN", "CLUSTERDOWN", "READONLY", "BUSY", "NOAUTH", "WRONGPASS", "UNBLOCKED",
    ]
}

extension RedisValue {
    /// The error of a server that cannot serve now.
    var isOutage: Bool { if case .error(let text) = self { RedisError.refused(text).isOutage } else { false } }
}

extension RedisError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreachable(let reason): "no connection: \(reason)"
        case .timedOut: "no reply in time"
        case .closed: "the connection was closed"
        case .malformed(let what): "a malformed reply: \(what)"
        case .refused(let text), .denied(let text): "refused: \(text)"
        case .suspended: "suspended after errors"
        case .busy: "all connections are in use"
        }
    }
}

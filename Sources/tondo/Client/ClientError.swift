/// Why a service does not tell what it was asked for.
enum ClientError: Error, Equatable {
    /// Nobody listens there.
    case refused
    /// `reason` is the system's.
    case unreachable(reason: String)
    case silent
    /// The connection ended in the middle of an answer.
    case ended
    /// Not HTTP/1.1, or beyond all measure.
    case malformed
}

extension ClientError: CustomStringConvertible {
    var description: String {
        switch self {
        case .refused: "no service listens there"
        case .unreachable(let reason): "cannot be reached: \(reason)"
        case .silent: "does not answer in time"
        case .ended: "ended the connection in the middle of an answer"
        case .malformed: "does not answer as Tondo does"
        }
    }
}

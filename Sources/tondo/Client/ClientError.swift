/// Why a request to a service fails.
enum ClientError: Error, Equatable {
    /// No process listens at the address.
    case refused
    /// `reason`: the text of the system error.
    case unreachable(reason: String)
    case silent
    /// The connection ended within a response.
    case ended
    /// Not HTTP/1.1, or larger than every limit.
    case malformed
}

extension ClientError: CustomStringConvertible {
    var description: String {
        switch self {
        case .refused: "no service listens at this address"
        case .unreachable(let reason): "cannot be reached: \(reason)"
        case .silent: "did not respond in time"
        case .ended: "closed the connection before the end of its response"
        case .malformed: "sent a response that is not Tondo's"
        }
    }
}

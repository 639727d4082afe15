import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

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

extension ClientError {
    /// From an error of NIO.
    init(_ error: any Error) {
        switch error {
        case let error as NIOConnectionError:
            // One error for each address of the host, or the error of the name.
            let name = (error.dnsAError ?? error.dnsAAAAError) as? SocketAddressError.UnknownHost
            let last = error.connectionErrors.last.map { ClientError($0.error) }
            self = last ?? .unreachable(reason: name?.errorDescription ?? "\(error)")
        case let error as IOError: self.init(code: error.errnoCode)
        case ChannelError.connectTimeout: self = .silent
        case HTTPParserError.invalidEOFState: self = .ended
        case is HTTPParserError: self = .malformed
        default: self = .unreachable(reason: "\(error)")
        }
    }

    private init(code: CInt) {
        self =
            switch code {
            case ECONNREFUSED, ENOENT: .refused
            case EAGAIN, ETIMEDOUT, EINPROGRESS: .silent
            case ECONNRESET, EPIPE: .ended
            default: .unreachable(reason: String(cString: strerror(code)))
            }
    }
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

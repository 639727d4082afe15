package import TondoRedis

/// Why the work stream does not take or give jobs.
package enum JobStreamError: Error, Equatable, Sendable {
    /// It has this many jobs, or Redis has no memory for more: nothing is ever dropped to make room.
    case full(length: Int)
    case redis(RedisError)

    package var isFull: Bool { if case .full = self { true } else { false } }
}

extension JobStreamError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .full(let length): "the work stream is full: \(length) jobs wait"
        case .redis(let error): "the work stream: \(error)"
        }
    }
}

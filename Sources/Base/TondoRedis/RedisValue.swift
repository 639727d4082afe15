internal import libhiredis

/// A reply, in the types of RESP2.
package enum RedisValue: Sendable, Hashable {
    /// A bulk string or an array that does not exist.
    case null
    case integer(Int)
    /// Such as `OK`.
    case status(String)
    case bulk([UInt8])
    case array([RedisValue])
    /// The server refused the command. The first word is a code, such as `NOPERM`.
    case error(String)

    /// The bytes of a bulk string; nil for every other reply, `null` included.
    package var bytes: [UInt8]? { if case .bulk(let bytes) = self { bytes } else { nil } }

    /// A bulk string or status as text; bytes that are not UTF-8 are replaced.
    package var text: String? {
        switch self {
        case .bulk(let bytes): String(decoding: bytes, as: UTF8.self)
        case .status(let text): text
        default: nil
        }
    }

    /// The number of an integer reply; nil for digits in a bulk string.
    package var integer: Int? { if case .integer(let number) = self { number } else { nil } }

    /// The elements of an array; nil for every other reply. Errors may be among them.
    package var array: [RedisValue]? { if case .array(let values) = self { values } else { nil } }

    /// Whether the key, or the element, does not exist.
    package var isNull: Bool { self == .null }
}

extension RedisValue {
    /// Copies a reply of hiredis, which nests nine levels at most. Nil for a type that RESP2 does not have.
    init?(_ reply: redisReply) {
        switch reply.type {
        case REDIS_REPLY_NIL: self = .null
        case REDIS_REPLY_INTEGER: self = .integer(Int(reply.integer))
        case REDIS_REPLY_STATUS: self = .status(String(decoding: Self.string(of: reply), as: UTF8.self))
        case REDIS_REPLY_ERROR: self = .error(String(decoding: Self.string(of: reply), as: UTF8.self))
        case REDIS_REPLY_STRING: self = .bulk([UInt8](Self.string(of: reply)))
        case REDIS_REPLY_ARRAY:
            var values: [RedisValue] = []
            values.reserveCapacity(reply.elements)
            for index in 0..<reply.elements {
                guard let element = reply.element[index], let value = RedisValue(element.pointee) else { return nil }
                values.append(value)
            }
            self = .array(values)
        default: return nil
        }
    }

    private static func string(of reply: redisReply) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: reply.str, count: reply.len)
    }
}

internal import Glibc
internal import NIOCore

/// What counts as one client: an address of IPv4, a network of IPv6 (64 bits, which one client has for itself), or all programs of
/// this machine together.
enum OutputClient: Hashable, Sendable {
    /// Responses that are being made.
    case service
    case local
    case address(UInt64)

    init(_ address: SocketAddress?) {
        self = address?.ipAddress.flatMap { Self(ip: $0) } ?? .local
    }

    private init?(ip text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self = Self.version4(Self.number(in: bytes[..<4]))
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            let (high, low) = (Self.number(in: bytes[..<8]), Self.number(in: bytes[8...]))
            if high == 0, low >> 32 == 0xFFFF {
                // An address of IPv4 (RFC 4291 2.5.5.2).
                self = Self.version4(low & 0xFFFF_FFFF)
            } else {
                self = high == 0 && low == 1 ? .local : .address(high)
            }
        } else {
            return nil
        }
    }

    private static func version4(_ number: UInt64) -> Self { number >> 24 == 127 ? .local : .address(number) }

    private static func number(in bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}

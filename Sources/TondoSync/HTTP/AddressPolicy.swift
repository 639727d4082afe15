/// Which addresses may be connected to, once a host name is resolved. It is asked with the address of the connection
/// itself, so that a name that changes its address between a check and the connection cannot lead elsewhere.
package enum AddressPolicy: Sendable {
    case any
    /// This machine only: for plain http.
    case loopback
    /// The public internet only: for URLs that strangers chose.
    case `public`

    /// `address`: 4 or 16 bytes in network order.
    package func permits(_ address: [UInt8]) -> Bool {
        switch self {
        case .any: true
        case .loopback: Self.isLoopback(address)
        case .public: Self.isPublic(address)
        }
    }

    static func isLoopback(_ address: [UInt8]) -> Bool {
        if address.count == 4 { return address[0] == 127 }
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 127]
        return address == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1] || address.starts(with: mapped)
    }

    static func isPublic(_ address: [UInt8]) -> Bool {
        switch address.count {
        case 4: !reserved4.contains { $0.contains(address) }
        case 16: global6.contains(address) && !reserved6.contains { $0.contains(address) } && !isISATAP(address)
        default: false
        }
    }

    private struct Network {
        let prefix: [UInt8]
        let bits: Int

        init(_ prefix: [UInt8], _ bits: Int) { (self.prefix, self.bits) = (prefix, bits) }

        func contains(_ address: [UInt8]) -> Bool {
            var rest = bits
            for (byte, wanted) in zip(address, prefix) {
                if rest <= 0 { return true }
                let mask: UInt8 = rest >= 8 ? 0xFF : ~(0xFF >> UInt8(rest))
                if byte & mask != wanted & mask { return false }
                rest -= 8
            }
            return rest <= 0
        }
    }

    /// IANA's registry of IPv4 addresses for special purposes, multicast and class E.
    private static let reserved4: [Network] = [
        .init([0], 8), .init([10], 8), .init([100, 64], 10), .init([127], 8), .init([169, 254], 16),
        .init([172, 16], 12), .init([192, 0, 0], 24), .init([192, 0, 2], 24), .init([192, 31, 196], 24),
        .init([192, 52, 193], 24), .init([192, 88, 99], 24), .init([192, 168], 16), .init([192, 175, 48], 24),
        .init([198, 18], 15), .init([198, 51, 100], 24), .init([203, 0, 113], 24), .init([224], 4), .init([240], 4),
    ]

    /// Global unicast (RFC 4291): leaves out loopback, mapped, compatible, NAT64, unique-local, link-local, multicast.
    private static let global6 = Network([0x20], 3)

    /// Teredo, benchmarks, ORCHID and other protocols; documentation; 6to4; AS112; documentation again.
    private static let reserved6: [Network] = [
        .init([0x20, 0x01, 0x00], 23), .init([0x20, 0x01, 0x0D, 0xB8], 32), .init([0x20, 0x02], 16),
        .init([0x26, 0x20, 0x00, 0x4F, 0x80, 0x00], 48), .init([0x3F, 0xFF, 0x00], 20),
    ]

    /// An interface identifier that holds an IPv4 address (RFC 5214 section 6.1).
    private static func isISATAP(_ address: [UInt8]) -> Bool {
        address[8] & 0xFD == 0 && address[9] == 0 && address[10] == 0x5E && address[11] == 0xFE
    }
}

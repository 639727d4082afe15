/// Which addresses a photo may come from: those of the public internet. A URL in a card must not reach a service of this
/// machine or of its network, whatever its host name, number format or redirect leads to. Applied to the address that is
/// connected to. Pure.
package enum AddressRules {
    /// `address`: 4 or 16 bytes in network order. Nil: it may be connected to; else the name of the refused kind.
    package static func refusal(of address: [UInt8]) -> String? {
        switch address.count {
        case 4: refused4.first { $0.contains(address) }?.name
        case 16: refusal6(address)
        default: "unknown"
        }
    }

    /// What is not allocated for unicast is refused, and so are addresses that hold an IPv4 address: the way to it may
    /// end inside.
    private static func refusal6(_ address: [UInt8]) -> String? {
        if let block = refused6.first(where: { $0.contains(address) }) { return block.name }
        // The interface part of ISATAP, also with the bit of a globally unique address (RFC 5214 section 6.1).
        if address[8] & 0xFD == 0, address[9] == 0, address[10] == 0x5E, address[11] == 0xFE { return "ISATAP" }
        // RFC 4291 section 2.4: global unicast is allocated from here alone.
        return address[0] & 0xE0 == 0x20 ? nil : "reserved"
    }

    private struct Block {
        let name: String
        let start: [UInt8]
        let bits: Int

        init(_ name: String, _ start: [UInt8], bits: Int) {
            self.name = name
            self.start = start
            self.bits = bits
        }

        func contains(_ address: [UInt8]) -> Bool {
            (0..<bits).allSatisfy { bit in
                let byte = bit / 8 < start.count ? start[bit / 8] : 0
                return (address[bit / 8] ^ byte) >> UInt8(7 - bit % 8) & 1 == 0
            }
        }
    }

    /// IANA's IPv4 Special-Purpose Address Registry (RFC 6890 and its successors), and multicast.
    private static let refused4 = [
        Block("this network", [0], bits: 8), Block("loopback", [127], bits: 8),
        Block("private", [10], bits: 8), Block("private", [172, 16], bits: 12), Block("private", [192, 168], bits: 16),
        Block("link-local", [169, 254], bits: 16), Block("shared by carriers", [100, 64], bits: 10),
        Block("protocol assignments", [192, 0, 0], bits: 24), Block("documentation", [192, 0, 2], bits: 24),
        Block("documentation", [198, 51, 100], bits: 24), Block("documentation", [203, 0, 113], bits: 24),
        Block("6to4 relay", [192, 88, 99], bits: 24), Block("AS112", [192, 31, 196], bits: 24),
        Block("AS112", [192, 175, 48], bits: 24),
        Block("AMT", [192, 52, 193], bits: 24), Block("benchmarking", [198, 18], bits: 15),
        Block("multicast", [224], bits: 4), Block("reserved", [240], bits: 4),
    ]

    /// IANA's IPv6 Special-Purpose Address Registry.
    private static let refused6 = [
        Block("unspecified", [], bits: 128),
        Block("loopback", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], bits: 128),
        Block("IPv4-mapped", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], bits: 96),
        Block("IPv4-translated", [0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], bits: 96),
        Block("IPv4-compatible", [], bits: 96),
        Block("NAT64", [0x00, 0x64, 0xFF, 0x9B], bits: 96), Block("NAT64", [0x00, 0x64, 0xFF, 0x9B, 0, 1], bits: 48),
        Block("discard", [0x01, 0], bits: 64), Block("Teredo", [0x20, 0x01], bits: 32),
        Block("protocol assignments", [0x20, 0x01], bits: 23),
        Block("documentation", [0x20, 0x01, 0x0D, 0xB8], bits: 32),
        Block("documentation", [0x3F, 0xFF], bits: 20), Block("6to4", [0x20, 0x02], bits: 16),
        Block("AS112", [0x26, 0x20, 0, 0x4F, 0x80], bits: 48), Block("segment routing", [0x5F], bits: 16),
        Block("unique-local", [0xFC], bits: 7), Block("link-local", [0xFE, 0x80], bits: 10),
        Block("site-local", [0xFE, 0xC0], bits: 10), Block("multicast", [0xFF], bits: 8),
    ]
}

internal import Crypto

/// The hash of a mail address as Gravatar and Libravatar define it: the MD5 or SHA-256 of its lower-case form without
/// surrounding blanks.
package struct AddressHash: Hashable, Sendable {
    /// 16 or 32.
    package let bytes: [UInt8]

    /// Reads 32 or 64 hexadecimal digits in any letter case, with or without the file extension of an image format.
    package init?(_ component: some StringProtocol) {
        var digits = component.lowercased()[...]
        for ending in [".png", ".jpg", ".jpeg"] where digits.hasSuffix(ending) {
            digits = digits.dropLast(ending.count)
            break
        }
        guard digits.utf8.count == 32 || digits.utf8.count == 64 else { return nil }
        var bytes: [UInt8] = []
        for (index, digit) in digits.utf8.enumerated() {
            let value: UInt8
            switch digit {
            case 0x30...0x39: value = digit - 0x30
            case 0x61...0x66: value = digit - 0x61 + 10
            default: return nil
            }
            if index.isMultiple(of: 2) { bytes.append(value << 4) } else { bytes[bytes.count - 1] |= value }
        }
        self.bytes = bytes
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    package static func md5(of address: String) -> AddressHash {
        AddressHash(bytes: Array(Insecure.MD5.hash(data: Array(normal(address).utf8))))
    }

    package static func sha256(of address: String) -> AddressHash {
        AddressHash(bytes: Array(SHA256.hash(data: Array(normal(address).utf8))))
    }

    private static func normal(_ address: String) -> String {
        let head = address.drop { $0.isWhitespace }
        guard let last = head.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return head[...last].lowercased()
    }
}

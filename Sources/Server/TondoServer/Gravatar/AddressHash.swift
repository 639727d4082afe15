internal import TondoDigest
internal import TondoImage
internal import TondoText

/// The hash of a mail address as Gravatar and Libravatar define it: the MD5 or SHA-256 of its lower-case form without
/// surrounding blanks.
package struct AddressHash: Hashable, Sendable {
    /// 16 or 32.
    package let bytes: [UInt8]

    /// Reads 32 or 64 hexadecimal digits in any letter case, with or without a file extension: clients name formats, too,
    /// that avatars do not have.
    package init?(_ component: some StringProtocol) {
        let digits = component.prefix { $0 != "." }
        guard digits.utf8.count == 32 || digits.utf8.count == 64, let bytes = Hex.bytes(digits.utf8) else { return nil }
        self.bytes = bytes
    }

    /// For a word in place of a hash, such as `undefined` or the name of a user: no address has it. Nil for what is no word.
    init?(word: some StringProtocol) {
        guard word.utf8.count <= Self.longestWord, word.first != ".", !word.isEmpty, word.utf8.allSatisfy(Self.isInWord)
        else { return nil }
        self = .sha256(ofText: "/avatar/\(word)")
    }

    private static let longestWord = 254

    /// Also in those that are addresses.
    static func isInWord(_ byte: UInt8) -> Bool {
        PercentEncoding.Form.pathSegment.isPlain(byte) || byte == UInt8(ascii: "@") || byte == UInt8(ascii: "+")
    }

    /// The format that the file extension names; nil without one, or if avatars have no such format.
    static func format(_ component: some StringProtocol) -> AvatarFormat.Name? {
        let name = component.lowercased()
        return AvatarFormat.Name.allCases.first { name.hasSuffix(".\($0.rawValue)") }
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// 32 or 64 digits in lower case.
    var hexadecimal: String { Hex.text(bytes) }

    /// The 16 bytes that older clients send. `address` is trimmed and lower-cased first.
    package static func md5(of address: String) -> AddressHash {
        AddressHash(bytes: MD5.digest(of: Array(normal(address).utf8)))
    }

    /// The 32 bytes of newer clients. `address` is trimmed and lower-cased first.
    package static func sha256(of address: String) -> AddressHash {
        AddressHash(bytes: SHA256Digest(of: normal(address).utf8).bytes)
    }

    /// The SHA-256 of a text as it is.
    static func sha256(ofText text: String) -> AddressHash { AddressHash(bytes: SHA256Digest(of: text.utf8).bytes) }

    /// The MD5 and the SHA-256 of a text as it is.
    static func both(of text: String) -> [AddressHash] {
        let bytes = Array(text.utf8)
        return [
            AddressHash(bytes: MD5.digest(of: bytes)),
            AddressHash(bytes: SHA256Digest(of: bytes).bytes),
        ]
    }

    private static func normal(_ address: String) -> String {
        let head = address.drop { $0.isWhitespace }
        guard let last = head.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return head[...last].lowercased()
    }
}

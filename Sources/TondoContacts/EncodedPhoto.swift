/// The text of a picture inside a book: where it lies and how it is encoded.
///
/// Two are equal when their text is, wherever it lies: a book that only moved its cards changed no photo.
package struct EncodedPhoto: Sendable {
    package enum Encoding: Hashable, Sendable {
        case base64
        /// `%FF`, in data: URIs (RFC 2397).
        case percent
        case quotedPrintable
    }

    /// The text's bytes in the contact's file, folds and all.
    package let bytes: Range<Int>
    package let encoding: Encoding
    /// Bytes of the file for one ASCII character: 2 where the file is UTF-16.
    package let characterWidth: Int
    /// Tells changed text apart; protects against accidents, not against attackers.
    package let fingerprint: UInt64
}

extension EncodedPhoto: Hashable {
    package static func == (one: EncodedPhoto, other: EncodedPhoto) -> Bool {
        one.fingerprint == other.fingerprint && one.bytes.count == other.bytes.count && one.encoding == other.encoding
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
}

/// The text of a photo inside a book: its position and encoding.
///
/// Two are equal if their text is, at any position: a book that only moved its cards changed no photo.
package struct EncodedPhoto: Sendable {
    /// The steps that lead from the text to the photo's bytes.
    package enum Encoding: Hashable, Sendable, CaseIterable {
        case base64
        /// `%FF`, in data: URIs (RFC 2397).
        case percent
        case quotedPrintable
        /// Base64 in quoted-printable.
        case quotedBase64
        /// Base64 of base64.
        case twiceBase64
        /// Base64 whose plus signs became blanks, as in a form of a page that was decoded once too often.
        case blankBase64
        case hex
    }

    /// The text's bytes in the contact's file, including folds.
    package let bytes: Range<Int>
    /// Decided when the book was read, since the rest of the card is not at hand later.
    package let encoding: Encoding
    /// Bytes of the file per ASCII character: 2 if the file is UTF-16.
    package let characterWidth: Int
    /// Detects changed text; protects against accidents, not against attackers.
    package let fingerprint: UInt64
}

extension EncodedPhoto: Hashable {
    package static func == (one: EncodedPhoto, other: EncodedPhoto) -> Bool {
        one.fingerprint == other.fingerprint && one.bytes.count == other.bytes.count && one.encoding == other.encoding
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
}

extension EncodedPhoto {
    /// `bytes`: the position of the text in `file`, the whole file's bytes.
    package init(_ bytes: Range<Int>, of file: UnsafeRawBufferPointer, encoding: Encoding, characterWidth: Int = 1) {
        self.init(
            bytes: bytes, encoding: encoding, characterWidth: characterWidth,
            fingerprint: Fingerprint.of(UnsafeRawBufferPointer(rebasing: file[bytes])))
    }

    /// Bytes that decoding needs: the text, as one byte per character, and the photo.
    package var decodingMemory: Int {
        let characters = bytes.count / characterWidth
        // Two steps keep the result of the first one.
        let decodedSize = encoding == .base64 ? characters / 4 * 3 + 3 : 2 * characters
        return bytes.count + (characterWidth > 1 ? characters : 0) + decodedSize
    }

    /// The photo's bytes. `text`: the present bytes of the file at `bytes`; changed text is refused.
    package func decoded(from text: UnsafeRawBufferPointer) throws(ContactsError) -> [UInt8] {
        guard text.count == bytes.count, Fingerprint.of(text) == fingerprint else { throw .photoChanged }
        // The zeros of UTF-16 are the upper halves of its ASCII.
        let decodedSize =
            characterWidth == 1 ? encoding.decode(text) : text.filter { $0 != 0 }.withUnsafeBytes(encoding.decode)
        guard !decodedSize.isEmpty else { throw .photoBroken("no bytes") }
        return decodedSize
    }
}

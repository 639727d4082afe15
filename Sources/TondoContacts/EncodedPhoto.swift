/// The text of a picture inside a book: where it lies and how it is encoded.
///
/// Two are equal when their text is, wherever it lies: a book that only moved its cards changed no photo.
package struct EncodedPhoto: Sendable {
    package enum Encoding: Hashable, Sendable, CaseIterable {
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

extension EncodedPhoto {
    /// `bytes`: where the text lies in `file`, the whole file's bytes.
    package init(_ bytes: Range<Int>, of file: UnsafeRawBufferPointer, encoding: Encoding, characterWidth: Int = 1) {
        self.init(
            bytes: bytes, encoding: encoding, characterWidth: characterWidth,
            fingerprint: Fingerprint.of(UnsafeRawBufferPointer(rebasing: file[bytes])))
    }

    /// Bytes that decoding takes: the text, without the second byte of each character where it has two, and the picture.
    package var decodingMemory: Int {
        let characters = bytes.count / characterWidth
        let picture = encoding == .base64 ? characters / 4 * 3 + 3 : characters
        return bytes.count + (characterWidth > 1 ? characters : 0) + picture
    }

    /// The picture's bytes. `text`: what the file now holds at `bytes`; when that changed, it is refused.
    package func decoded(from text: UnsafeRawBufferPointer) throws(ContactsError) -> [UInt8] {
        guard text.count == bytes.count, Fingerprint.of(text) == fingerprint else { throw .photoChanged }
        let picture = characterWidth == 1 ? decode(text) : text.filter { $0 != 0 }.withUnsafeBytes(decode)
        guard !picture.isEmpty else { throw .photoBroken("no bytes in it") }
        return picture
    }

    private func decode(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        switch encoding {
        case .base64: Base64.decode(text)
        case .percent: PercentEncoding.decode(text)
        case .quotedPrintable: QuotedPrintable.decode(text)
        }
    }
}

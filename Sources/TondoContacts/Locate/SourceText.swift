/// A book file's text in bytes of which ASCII is ASCII, without byte order mark, and how they lie in the file.
///
/// UTF-16 becomes UTF-8. Any other set stays as it is, and what is cut out of it is decoded: places then need no
/// translation.
struct SourceText: Sendable {
    let file: [UInt8]
    let bytes: [UInt8]
    /// Bytes of the file for one ASCII character.
    let characterWidth: Int
    /// Bytes of the file before the first of `bytes`.
    let skipped: Int
    private let charset: Charset

    init(_ file: [UInt8]) {
        self.file = file
        if file.starts(with: [0xFF, 0xFE]) || file.starts(with: [0xFE, 0xFF]) {
            bytes = file.withUnsafeBytes {
                UTF16Text.utf8(UnsafeRawBufferPointer(rebasing: $0[2...]), isBigEndian: $0[0] == 0xFE)
            }
            (characterWidth, skipped, charset) = (2, 2, .utf8)
        } else {
            let hasMark = file.starts(with: [0xEF, 0xBB, 0xBF])
            bytes = hasMark ? Array(file[3...]) : file
            (characterWidth, skipped) = (1, hasMark ? 3 : 0)
            charset = Self.charset(of: bytes)
        }
    }

    /// UTF-8 also where a character here and there is damaged, so that it does not take the others with it.
    private static func charset(of bytes: [UInt8]) -> Charset {
        let guess = bytes.withUnsafeBytes { Charset.guess($0) }
        if guess == .utf8 { return .utf8 }
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
        let damaged = scalars.count { $0 == "\u{FFFD}" }
        return scalars.count { $0.value >= 0x80 } >= 2 * damaged ? .utf8 : guess
    }

    func string(_ range: Range<Int>) -> String { string(Array(bytes[range])) }

    /// `piece`: bytes cut out of `bytes`, perhaps with something left out.
    func string(_ piece: [UInt8]) -> String {
        if charset == .utf8 { return String(decoding: piece, as: UTF8.self) }
        return piece.withUnsafeBytes { String(decoding: CharsetDecoder().utf8($0, charset), as: UTF8.self) }
    }
}

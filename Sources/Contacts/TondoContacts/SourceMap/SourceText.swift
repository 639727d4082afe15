internal import TondoText

/// The text of a book's file as bytes in which ASCII is ASCII, without byte order mark, and its layout in the file.
///
/// UTF-16 becomes UTF-8. Text in any other character set stays as it is, and its parts are decoded later: positions
/// then need no conversion.
struct SourceText: Sendable {
    let file: FileBytes
    let bytes: FileBytes
    /// Bytes of the file per ASCII character.
    let characterWidth: Int
    /// Bytes of the file before the first of `bytes`.
    let skipped: Int
    private let charset: Charset

    init(_ file: [UInt8]) { self.init(FileBytes(file)) }

    init(_ file: FileBytes) {
        self.file = file
        if Self.isWide(file) {
            bytes = FileBytes(
                file.withUnsafeBytes {
                    UTF16Text.utf8(UnsafeRawBufferPointer(rebasing: $0[2...]), isBigEndian: $0[0] == 0xFE)
                })
            characterWidth = 2
            skipped = 2
            charset = .utf8
        } else {
            let hasMark = file.starts(with: [0xEF, 0xBB, 0xBF])
            bytes = hasMark ? file.dropFirst(3) : file
            characterWidth = 1
            skipped = hasMark ? 3 : 0
            charset = Self.charset(of: bytes)
        }
    }

    private init(other: SourceText, charset: Charset) {
        file = other.file
        bytes = other.bytes
        characterWidth = other.characterWidth
        skipped = other.skipped
        self.charset = charset
    }

    /// The text in other character sets than the guessed one, the most frequent ones first; none if it is Unicode.
    var otherReadings: [SourceText] {
        if charset == .utf8 { return [] }
        // All of them may be tried on each such text.
        _ = Self.converters
        return Self.otherCharsets.filter { $0 != charset }.map { SourceText(other: self, charset: $0) }
    }

    private static let converters = CharsetDecoder.keepOpen(otherCharsets)

    private static let otherCharsets = [
        "windows-1252", "windows-1250", "windows-1251", "Shift_JIS", "GBK", "Big5", "EUC-KR", "windows-1253",
        "windows-1254", "windows-1255", "windows-1256", "windows-1257", "ISO-8859-2", "KOI8-R",
    ].compactMap { Charset(name: $0) }

    /// UTF-16, by its byte order mark.
    static func isWide(_ file: FileBytes) -> Bool {
        file.starts(with: [0xFF, 0xFE]) || file.starts(with: [0xFE, 0xFF])
    }

    /// UTF-8 also if a few characters are damaged, so that these do not affect the others. Checks piece by piece: a
    /// character across two pieces counts as damaged, but there are few of those.
    private static func charset(of bytes: FileBytes) -> Charset {
        var (whole, damaged, hasDefect) = (0, 0, false)
        var guess = Charset.utf8
        bytes.forEachPiece { piece, isStart, isEnd in
            if UTF8Text.isASCII(piece) { return }
            let inner = UTF8Text.withoutCutCharacters(piece, atStart: !isStart, atEnd: !isEnd)
            if !hasDefect, UTF8Text.defect(inner) != nil {
                hasDefect = true
                guess = Charset.guess(inner)
            }
            for scalar in String(decoding: piece, as: UTF8.self).unicodeScalars where scalar.value >= 0x80 {
                whole += 1
                if scalar == "\u{FFFD}" { damaged += 1 }
            }
        }
        return !hasDefect || whole >= 2 * damaged ? .utf8 : guess
    }

    /// `decoder`: one for all parts, since opening a converter takes longer than converting a page of text.
    func string(_ range: Range<Int>, by decoder: CharsetDecoder? = nil) -> String {
        bytes.withUnsafeBytes { string(UnsafeRawBufferPointer(rebasing: $0[range]), by: decoder) }
    }

    /// `piece`: bytes from `bytes`, perhaps with parts left out.
    func string(_ piece: [UInt8], by decoder: CharsetDecoder? = nil) -> String {
        piece.withUnsafeBytes { string($0, by: decoder) }
    }

    func string(_ piece: UnsafeRawBufferPointer, by decoder: CharsetDecoder? = nil) -> String {
        if charset == .utf8 { return String(decoding: piece, as: UTF8.self) }
        return String(decoding: (decoder ?? CharsetDecoder()).utf8(piece, charset: charset), as: UTF8.self)
    }
}

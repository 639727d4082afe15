internal import TondoText

/// The text of a book's file as bytes in which ASCII is ASCII, without byte order mark, and its layout in the file.
///
/// UTF-16 becomes UTF-8. Text in any other character set stays as it is, and its parts are decoded later: positions
/// then need no conversion.
struct SourceText: Sendable {
    let file: FileBytes
    private(set) var bytes: FileBytes
    /// Bytes of the file per ASCII character.
    let characterWidth: Int
    /// Bytes of the file before the first of `bytes`.
    let skipped: Int
    private let charset: Charset

    init(_ file: [UInt8]) { self.init(FileBytes(file)) }

    init(_ file: FileBytes) {
        self.file = file
        if let wide = Self.wide(file) {
            bytes = FileBytes(
                file.withUnsafeBytes {
                    UTF16Text.utf8(
                        UnsafeRawBufferPointer(rebasing: $0[wide.skipped...]), isBigEndian: wide.isBigEndian)
                })
            characterWidth = 2
            skipped = wide.skipped
            charset = .utf8
        } else {
            let hasMark = file.starts(with: [0xEF, 0xBB, 0xBF])
            bytes = hasMark ? file.dropFirst(3) : file
            characterWidth = 1
            skipped = hasMark ? 3 : 0
            charset = Self.charset(of: bytes)
        }
    }

    /// Has line feeds in place of carriage returns that end a line by themselves, as on old Macs, also in a part of the text. What follows
    /// one shows that it does: a name with its colon, a fold, a remark, an empty line or the end. Positions stay.
    func withLineFeeds() -> SourceText {
        bytes.withUnsafeBytes { bytes in
            var (changed, start) = ([UInt8]?.none, 0)
            while let place = ASCII.find(0x0D, in: bytes, within: start..<bytes.count) {
                var end = place
                while end < bytes.count, bytes[end] == 0x0D { end += 1 }
                start = end
                if end < bytes.count, bytes[end] == 0x0A || !Self.isLineStart(bytes, at: end) { continue }
                var copy = changed.take() ?? Array(bytes)
                for index in place..<end { copy[index] = 0x0A }
                changed = copy
            }
            var text = self
            if let changed { text.bytes = FileBytes(changed) }
            return text
        }
    }

    private static func isLineStart(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Bool {
        if ASCII.isBlank(bytes[start]) || bytes[start] == UInt8(ascii: "#") { return true }
        let name = bytes[start...].prefix(64).prefix { byte in
            ASCII.isLetter(byte) || byte &- UInt8(ascii: "0") < 10 || "-;.".utf8.contains(byte)
        }
        return !name.isEmpty && name.endIndex < bytes.count && bytes[name.endIndex] == UInt8(ascii: ":")
    }

    /// UTF-16, by its byte order mark or the zeros between its first characters.
    static func isWide(_ file: FileBytes) -> Bool { wide(file) != nil }

    private static func wide(_ file: FileBytes) -> (isBigEndian: Bool, skipped: Int)? {
        if file.starts(with: [0xFF, 0xFE]) { return (false, 2) }
        if file.starts(with: [0xFE, 0xFF]) { return (true, 2) }
        return file.withUnsafeBytes { bytes in
            if VCardLayout.isUTF16(bytes, high: 1) { return (false, 0) }
            return VCardLayout.isUTF16(bytes, high: 0) ? (true, 0) : nil
        }
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

internal import SystemPackage
internal import TondoText

/// Converts ranges of a `SourceText` to positions in its file. The cost is proportional to the distance from the
/// previous one.
struct ContactLocator {
    private let text: SourceText
    private let file: FilePath
    private var offset = 0
    private var line = 1
    /// UTF-16 units before `offset`; only counted for a file in UTF-16.
    private var units = 0

    init(text: SourceText, file: FilePath) {
        self.text = text
        self.file = file
    }

    mutating func place(_ range: Range<Int>) -> ContactLocation {
        let line = line(at: range.lowerBound)
        return ContactLocation(file: file, line: line, bytes: fileRange(range))
    }

    /// The range's bytes in the file.
    mutating func fileRange(_ range: Range<Int>) -> Range<Int> {
        let start = fileOffset(range.lowerBound)
        return start..<fileOffset(range.upperBound)
    }

    /// A photo with this text.
    mutating func photo(_ range: Range<Int>) -> InlinePhoto {
        let bytes = fileRange(range)
        return .encoded(
            text.file.withUnsafeBytes { file in
                EncodedPhoto(bytes, of: file, encoding: .base64, characterWidth: text.characterWidth)
            })
    }

    mutating func line(at offset: Int) -> Int {
        move(to: offset)
        return line
    }

    mutating func failure(at offset: Int, path: String? = nil, _ error: ContactsError) -> ContactFailure {
        ContactFailure(file: file, line: line(at: offset), path: path, error: error)
    }

    private mutating func fileOffset(_ offset: Int) -> Int {
        move(to: offset)
        return text.skipped + (text.characterWidth == 1 ? offset : 2 * units)
    }

    /// Counts the distance in both directions, so that a step back costs no more than one forward.
    private mutating func move(to target: Int) {
        let end = min(target, text.bytes.count)
        let steps = countPieces(min(offset, end)..<max(offset, end))
        let sign = end < offset ? -1 : 1
        offset = end
        line = line + sign * steps.lines
        units = units + sign * steps.units
    }

    /// The bytes of a long distance are released on the way.
    private func countPieces(_ range: Range<Int>) -> (lines: Int, units: Int) {
        if range.count <= FileBytes.piece { return count(range) }
        var all = (lines: 0, units: 0)
        for start in stride(from: range.lowerBound, to: range.upperBound, by: FileBytes.piece) {
            let piece = start..<min(start + FileBytes.piece, range.upperBound)
            let some = count(piece)
            text.bytes.release(piece)
            all = (all.lines + some.lines, all.units + some.units)
        }
        return all
    }

    private func count(_ range: Range<Int>) -> (lines: Int, units: Int) {
        text.bytes.withUnsafeBufferPointer { bytes in
            var (lines, units) = (0, 0)
            for index in range {
                let byte = bytes[index]
                let isLoneReturn = byte == 0x0D && (index + 1 == bytes.count || bytes[index + 1] != 0x0A)
                if byte == 0x0A || isLoneReturn { lines += 1 }
                // A character outside the first plane is a pair of units.
                if byte & 0xC0 != 0x80 { units += byte >= 0xF0 ? 2 : 1 }
            }
            return (lines, units)
        }
    }
}

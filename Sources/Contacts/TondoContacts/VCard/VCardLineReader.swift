/// Reads the lines of a file of cards one by one, whatever its characters' width.
struct VCardLineReader {
    private let text: VCardText
    private var bytes: UnsafeRawBufferPointer { text.bytes }
    private var width: Int { text.layout.width }
    /// The beginning of the next line.
    private(set) var position = 0
    /// Its number, counted from 1.
    private(set) var line = 1
    /// The bytes before this were released.
    private var released = 0

    /// The number of bytes of a line that are examined: relevant lines are shorter.
    private static let head = 1024

    init(text: VCardText) { self.text = text }

    /// A line's role, and what the scanner needs to know of its text.
    struct Line {
        let mark: VCardMark
        /// The examined bytes, in the file.
        fileprivate let content: UnsafeRawBufferPointer
        fileprivate let layout: VCardLayout
        let endsInLineFeed: Bool
    }

    var isAtEnd: Bool { position >= bytes.count }

    /// A reader of the following lines that releases nothing.
    var ahead: VCardLineReader {
        var ahead = self
        ahead.released = .max
        return ahead
    }

    mutating func moveBack(to start: Int, line number: Int) {
        position = start
        line = number
    }

    /// Moves to the real end of a card's last line, see `VCardMark.endOfCard`.
    mutating func finishCard(_ last: Line, from start: Int, line number: Int) {
        guard let end = last.endOfCard else { return }
        position = start + end
        let last = unit(at: position - width)
        line = last == 0x0A || last == 0x0D ? number + 1 : number
    }

    /// Moves behind the next lines, as far as they surely have no role, see `VCardMark.isSurelyOther`. The line feeds alone
    /// are searched, some bytes at a time. False if there is no such line. For lines that end with a line feed.
    @inline(__always)
    mutating func skipOthers() -> Bool {
        guard width == 1 else { return false }
        let start = position
        while position + 1 < bytes.count, VCardMark.isSurelyOther(first: bytes[position], second: bytes[position + 1]) {
            // A longer line, or one without an end, is left to `nextLine`.
            let limit = min(position + VCardText.piece, bytes.count)
            guard let end = ASCII.find(0x0A, in: bytes, within: position..<limit) else { break }
            release(before: end)
            position = end + 1
            line += 1
        }
        return position > start
    }

    /// The next line; moves behind it.
    @inline(__always)
    mutating func nextLine(_ ends: LineEnds) -> Line {
        let start = position
        let end = lineEnd(from: start, ends)
        line += 1
        var endsInLineFeed = true
        if ends == .lineFeed {
            position = min(end + width, bytes.count)
        } else if ends.isSign {
            position = ends.next(after: end, in: bytes)
        } else {
            endsInLineFeed = moveBehind(end)
        }
        let content = UnsafeRawBufferPointer(rebasing: bytes[start..<min(end, start + Self.head)])
        let mark = width == 1 ? VCardMark(content) : text.layout.narrowed(content) { VCardMark($0) }
        return Line(mark: mark, content: content, layout: text.layout, endsInLineFeed: endsInLineFeed)
    }

    /// Moves behind the line end at `end`. Returns whether it has a line feed, or is the end of the text.
    private mutating func moveBehind(_ end: Int) -> Bool {
        guard end < bytes.count, unit(at: end) == 0x0D else {
            position = min(end + width, bytes.count)
            return true
        }
        let most = end + LineEnds.mostReturns * width
        var next = end
        while next < most, unit(at: next) == 0x0D { next += width }
        let hasLineFeed = unit(at: next) == 0x0A || next >= bytes.count
        position = min(unit(at: next) == 0x0A ? next + width : end + width, bytes.count)
        return hasLineFeed
    }

    /// The character at an offset, 0xFF for one beyond ASCII; nil at the end.
    private func unit(at offset: Int) -> UInt8? {
        guard offset + width <= bytes.count else { return nil }
        if width == 1 { return bytes[offset] }
        let high = text.layout.isBigEndian ? 0 : 1
        return bytes[offset + high] == 0 ? bytes[offset + 1 - high] : 0xFF
    }

    @inline(__always)
    private mutating func lineEnd(from start: Int, _ ends: LineEnds) -> Int {
        var start = start
        while start < bytes.count {
            let end = min(start + VCardText.piece, bytes.count)
            if let found = width == 1 ? ends.find(in: bytes, start..<end) : wideLineEnd(in: start..<end, ends) {
                release(before: found)
                return found
            }
            release(before: end)
            start = end
        }
        return bytes.count
    }

    @inline(__always)
    private mutating func release(before end: Int) {
        if released < end, end - released >= VCardText.piece {
            text.release(released..<end)
            released = end
        }
    }

    private func wideLineEnd(in range: Range<Int>, _ ends: LineEnds) -> Int? {
        var offset = range.lowerBound
        while offset + 1 < range.upperBound {
            let unit = unit(at: offset)
            if unit == 0x0A || unit == 0x0D && ends == .either { return offset }
            offset += 2
        }
        return nil
    }
}

extension VCardLineReader.Line {
    /// It has only blanks and zeros.
    var isEmpty: Bool { content.allSatisfy(ASCII.isBlank) }

    /// It may continue the line before (RFC 6350 3.2).
    var isIndented: Bool { narrow { $0.first.map { $0 == 0x20 || $0 == 0x09 } ?? false } }

    /// See `VCardMark.endOfCard`; in the file's bytes.
    fileprivate var endOfCard: Int? { narrow { VCardMark.endOfCard(in: $0) }.map { $0 * layout.width } }

    /// Lines that no other kind of file has, such as a calendar between the cards.
    enum CardKind: Hashable {
        case begin, end, version
        case property(VCardField)
    }

    /// Nil for a line that may be one of any text. Zeros mean nothing, as in a part in UTF-16 of another file.
    var cardKind: CardKind? {
        narrow { line in
            let plain = line.filter { $0 != 0 }
            return plain.withUnsafeBytes { line in
                switch VCardMark(line) {
                case .begin: return .begin
                case .end: return .end
                default: break
                }
                guard let header = VCardHeader(line, isWhole: true), let field = header.field else { return nil }
                switch field {
                case .formatted, .name, .phone, .email, .address, .organisation, .photo: return .property(field)
                case .version: return Self.isVersion(line[header.valueStart...]) ? .version : nil
                default: return nil
                }
            }
        }
    }

    /// A calendar has another one.
    private static func isVersion(_ value: Slice<UnsafeRawBufferPointer>) -> Bool {
        let value = ASCII.trimmed(UnsafeRawBufferPointer(rebasing: value))
        return ASCII.equals(value, "2.1") || ASCII.equals(value, "3.0") || ASCII.equals(value, "4.0")
    }

    private func narrow<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        layout.width == 1 ? body(content) : layout.narrowed(content, body: body)
    }
}

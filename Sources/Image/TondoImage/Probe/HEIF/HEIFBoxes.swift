/// The boxes of a file of the ISO base media format, one after the other (ISO/IEC 14496-12 section 4.2). Ends at the first
/// that does not fit.
struct HEIFBoxes {
    struct Box: Hashable, Sendable {
        /// Four characters.
        let type: Int
        /// The bytes after the size and the type, in the file.
        let payload: Range<Int>

        /// `name`: four ASCII letters.
        func has(_ name: StaticString) -> Bool { type == HEIFBoxes.code(name) }
    }

    /// What ended the boxes.
    enum End { case none, range, damage }

    private var reader: ByteReader
    private(set) var end = End.none

    /// `range`: of the boxes in `bytes`.
    init(bytes: UnsafeRawBufferPointer, range: Range<Int>) {
        reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[..<range.upperBound]))
        reader.offset = range.lowerBound
    }

    static func code(_ name: StaticString) -> Int {
        name.withUTF8Buffer { $0.prefix(4).reduce(0) { $0 << 8 | Int($1) } }
    }

    mutating func next() -> Box? {
        let start = reader.offset
        guard end == .none, reader.remaining > 0 else { return nil }
        end = .range
        guard let short = reader.bigEndian32(), let type = reader.bigEndian32() else { return nil }
        var size = short
        // 0: the box reaches to the end. 1: a long size follows the type.
        if short == 0 { size = reader.remaining + 8 }
        if short == 1 {
            guard let long = reader.bigEndian(8) else { return nil }
            size = long
        }
        let header = reader.offset - start
        guard size >= header else {
            end = .damage
            return nil
        }
        let payload = reader.offset..<reader.offset
        guard reader.slice(size - header) != nil else { return nil }
        end = .none
        return Box(type: type, payload: payload.lowerBound..<reader.offset)
    }
}

extension ByteReader {
    /// A number of at most eight bytes, the first one the highest. Nil also for one beyond 2^62.
    mutating func bigEndian(_ count: Int) -> Int? {
        guard let bytes = slice(count) else { return nil }
        let value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return value < 1 << 62 ? Int(value) : nil
    }

    /// The version and the flags at the start of a full box.
    mutating func fullBox() -> (version: Int, flags: Int)? { bigEndian32().map { ($0 >> 24, $0 & 0xFF_FFFF) } }

    /// The bytes of a box, from their start.
    init(bytes: UnsafeRawBufferPointer, range: Range<Int>) {
        self.init(UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
}

internal import Glibc

/// Up to 128 concatenated texts, to be searched at once. A set of rows has a bit for each of them, row 0 the lowest.
struct TextRows: Sendable {
    static let capacity = 128

    /// Each row ends with a line feed, which no needle contains: so a match is inside one row. The last one ends with a
    /// zero byte, which no row contains.
    private let bytes: [UInt8]
    /// The end of each row.
    private let ends: [UInt32]

    init(rows: [[UInt8]]) {
        var (bytes, ends): ([UInt8], [UInt32]) = ([], [])
        bytes.reserveCapacity(rows.reduce(0) { $0 + $1.count + 1 } + 1)
        ends.reserveCapacity(rows.count)
        for row in rows.prefix(Self.capacity) {
            bytes += row
            bytes.append(UInt8(ascii: "\n"))
            ends.append(UInt32(bytes.count))
        }
        bytes.append(0)
        self.bytes = bytes
        self.ends = ends
    }

    /// As `encode` wrote it. Nil: other bytes.
    init?(_ reader: inout RowReader) {
        guard let bytes = reader.bytes(), let ends = reader.numbers(), ends.count <= Self.capacity else { return nil }
        // What searches rely on.
        guard bytes.last == 0, Int(ends.last ?? 0) == bytes.count - 1, zip(ends, ends.dropFirst()).allSatisfy(<) else {
            return nil
        }
        self.bytes = bytes
        self.ends = ends
    }

    func encode(to writer: inout RowWriter) {
        writer.put(bytes)
        writer.put(ends)
    }

    /// Bytes in memory.
    var size: Int { bytes.capacity + 4 * ends.capacity }

    /// The rows that contain `needle`, which has no line feed and one zero byte: at its end, after at least one other
    /// byte. Reads each byte about once.
    func rows(with needle: SearchNeedle) -> UInt128 {
        var (found, row, start): (UInt128, Int, Int) = (0, 0, 0)
        bytes.withUnsafeBytes { bytes in
            let text = bytes.assumingMemoryBound(to: CChar.self)
            guard let base = text.baseAddress else { return }
            while let hit = needle.withUnsafeBufferPointer({ $0.baseAddress.flatMap { strstr(base + start, $0) } }) {
                let place = UnsafePointer(hit) - base
                while ends[row] <= place { row += 1 }
                found |= 1 << UInt128(row)
                // The rest of a row that is found needs no search.
                start = Int(ends[row])
                row += 1
            }
        }
        return found
    }
}

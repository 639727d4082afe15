/// Follows the entropy-coded data of a JPEG's scans (ITU-T T.81 annexes F and G), to know where they end: nothing is decoded but
/// the lengths of codes. Decoders read no byte behind the last code, so anything may stand there.
struct JPEGCodes {
    private var tables: [Int: HuffmanLengths] = [:]
    private var frame: Frame?
    /// MCUs between two restarts; 0: none.
    private var interval = 0
    private var scans = 0
    private var definitions = 0
    /// Blocks that the scans so far went through.
    private var visits = 0

    private struct Component {
        var id: UInt8
        var across: Int
        var down: Int
        /// Blocks in a row of `known`.
        var stride = 0
        /// Bits of the coefficients that are not 0, for each block of a progressive picture.
        var known: [UInt64] = []
    }

    private struct Frame {
        var isProgressive: Bool
        var width: Int
        var height: Int
        var components: [Component]
        /// The largest sampling factors.
        var across: Int { components.map(\.across).max() ?? 1 }
        var down: Int { components.map(\.down).max() ?? 1 }
    }

    /// Which coefficients a scan has, and whether it makes those of before more exact.
    private struct Band {
        var first: Int
        var last: Int
        var isRefinement: Bool
    }

    /// Components of a scan, by their indices, with the numbers of their tables.
    private struct Scan {
        var parts: [(index: Int, dc: Int, ac: Int)]
        var band: Band
    }

    struct Damaged: Error {}

    /// Pixels of a picture, as many as may be stored.
    private static let largest = 1 << 26
    /// A few bytes define a table or go through all blocks of a picture, so a small file could take for ever.
    private static let limits = Limits()
    /// As many as scans may use.
    private static let mostDefinitions = 4 * limits.maxScans

    /// Takes over what a segment says about the scans behind it.
    mutating func note(_ content: UnsafeRawBufferPointer, of marker: Int) throws(Damaged) {
        switch marker {
        case 0xC4: try define(content)
        case 0xC0...0xC2: try begin(content, isProgressive: marker == 0xC2)
        case 0xDD: restart(content)
        default: break
        }
    }

    /// The content of a DHT segment.
    private mutating func define(_ content: UnsafeRawBufferPointer) throws(Damaged) {
        var reader = ByteReader(content)
        while let head = reader.slice(17) {
            let counts = head.dropFirst().map { Int($0) }
            guard let symbols = reader.slice(counts.reduce(0, +)), let table = HuffmanLengths(counts, Array(symbols))
            else { throw Damaged() }
            definitions += 1
            guard definitions <= Self.mostDefinitions else { throw Damaged() }
            tables[Int(head[0])] = table
        }
    }

    /// The content of a DRI segment.
    private mutating func restart(_ content: UnsafeRawBufferPointer) {
        var reader = ByteReader(content)
        interval = reader.bigEndian16() ?? 0
    }

    /// The content of an SOF segment. Memory: 8 bytes a block of a progressive picture.
    private mutating func begin(_ content: UnsafeRawBufferPointer, isProgressive: Bool) throws(Damaged) {
        guard frame == nil, content.count >= 6 else { throw Damaged() }
        let number = { Int(content[$0]) << 8 + Int(content[$0 + 1]) }
        let (height, width, count) = (number(1), number(3), Int(content[5]))
        guard width > 0, height > 0, width * height <= Self.largest else { throw Damaged() }
        guard (1...4).contains(count), content.count >= 6 + 3 * count else { throw Damaged() }
        var frame = Frame(isProgressive: isProgressive, width: width, height: height, components: [])
        for index in 0..<count {
            let (id, factors) = (content[6 + 3 * index], Int(content[7 + 3 * index]))
            let (across, down) = (factors >> 4, factors & 15)
            guard (1...4).contains(across), (1...4).contains(down) else { throw Damaged() }
            frame.components.append(Component(id: id, across: across, down: down))
        }
        for index in frame.components.indices where isProgressive {
            let component = frame.components[index]
            let rows = Self.parts(height, 8 * frame.down) * component.down
            frame.components[index].stride = Self.parts(width, 8 * frame.across) * component.across
            frame.components[index].known = Array(repeating: 0, count: rows * frame.components[index].stride)
        }
        self.frame = frame
    }

    private static func parts(_ length: Int, _ size: Int) -> Int { (length + size - 1) / size }

    /// The data of a scan without what stands behind its last code, and before its restarts. `header`: the content of SOS; `data`:
    /// up to the next marker that is no restart.
    mutating func cleaned(
        _ data: UnsafeRawBufferPointer, header: UnsafeRawBufferPointer
    ) throws(Damaged) -> [UInt8] {
        guard var frame else { throw Damaged() }
        // Otherwise both would share `known`.
        self.frame = nil
        let scan = try Self.scan(header, of: frame)
        let size = Self.units(of: scan, in: frame)
        let count = size.columns * size.rows
        let blocks = scan.parts.reduce(0) { $0 + frame.components[$1.index].across * frame.components[$1.index].down }
        scans += 1
        visits += count * (scan.parts.count > 1 ? blocks : 1)
        guard scans <= Self.limits.maxScans, visits <= Self.limits.maxBlockVisits else { throw Damaged() }
        var output: [UInt8] = []
        output.reserveCapacity(data.count)
        var (done, position) = (0, 0)
        while done < count {
            var reader = CodeReader(data, from: position)
            let end = interval > 0 ? min(done + interval, count) : count
            var run = 0
            for unit in done..<end {
                try follow(unit, columns: size.columns, of: scan, in: &frame, by: &reader, run: &run)
            }
            output += data[position..<position + (try reader.used())]
            position = reader.end
            done = end
            if done < count {
                guard position + 1 < data.count else { throw Damaged() }
                output += data[position..<position + 2]
                position += 2
            }
        }
        self.frame = frame
        return output
    }

    private static func scan(_ header: UnsafeRawBufferPointer, of frame: Frame) throws(Damaged) -> Scan {
        let count = header.first.map { Int($0) } ?? 0
        guard (1...4).contains(count), header.count >= 4 + 2 * count else { throw Damaged() }
        var parts: [(index: Int, dc: Int, ac: Int)] = []
        for part in 0..<count {
            let (id, tables) = (header[1 + 2 * part], Int(header[2 + 2 * part]))
            guard let index = frame.components.firstIndex(where: { $0.id == id }) else { throw Damaged() }
            parts.append((index, tables >> 4, 16 + tables & 15))
        }
        let tail = UnsafeRawBufferPointer(rebasing: header[(1 + 2 * count)...])
        let (first, last, bits) = (Int(tail[0]), Int(tail[1]), tail[2])
        if !frame.isProgressive { return Scan(parts: parts, band: Band(first: 0, last: 63, isRefinement: false)) }
        guard first <= last, last < 64, first > 0 ? count == 1 : last == 0 else { throw Damaged() }
        return Scan(parts: parts, band: Band(first: first, last: last, isRefinement: bits >> 4 > 0))
    }

    /// MCUs of a scan: blocks of one component, or groups of blocks of several.
    private static func units(of scan: Scan, in frame: Frame) -> (columns: Int, rows: Int) {
        if scan.parts.count > 1 {
            return (parts(frame.width, 8 * frame.across), parts(frame.height, 8 * frame.down))
        }
        let component = frame.components[scan.parts[0].index]
        return (
            parts(parts(frame.width * component.across, frame.across), 8),
            parts(parts(frame.height * component.down, frame.down), 8)
        )
    }

    private func follow(
        _ unit: Int, columns: Int, of scan: Scan, in frame: inout Frame, by reader: inout CodeReader, run: inout Int
    ) throws(Damaged) {
        let (x, y) = (unit % columns, unit / columns)
        for part in scan.parts {
            // No copy of the component, which would share `known`: all of that would be copied for each block.
            let stride = frame.components[part.index].stride
            let isAlone = scan.parts.count == 1
            let across = isAlone ? 1 : frame.components[part.index].across
            let down = isAlone ? 1 : frame.components[part.index].down
            for block in 0..<across * down {
                guard frame.isProgressive else {
                    try sequential(dc: part.dc, ac: part.ac, by: &reader)
                    continue
                }
                if scan.band.first == 0 {
                    try reader.skip(scan.band.isRefinement ? 1 : try code(part.dc, by: &reader))
                    continue
                }
                let place = (y * down + block / across) * stride + x * across + block % across
                try progressive(
                    &frame.components[part.index].known[place], scan.band, ac: part.ac, by: &reader, run: &run)
            }
        }
    }

    private func code(_ table: Int, by reader: inout CodeReader) throws(Damaged) -> Int {
        guard let table = tables[table] else { throw Damaged() }
        return try reader.code(table)
    }

    private func sequential(dc: Int, ac: Int, by reader: inout CodeReader) throws(Damaged) {
        try reader.skip(try code(dc, by: &reader))
        guard let table = tables[ac] else { throw Damaged() }
        var place = 1
        while place < 64 {
            let code = try reader.code(table)
            let (zeros, bits) = (code >> 4, code & 15)
            if bits == 0, zeros < 15 { return }
            try reader.skip(bits)
            place += zeros + 1
        }
    }

    /// `run`: further blocks without codes.
    private func progressive(
        _ known: inout UInt64, _ band: Band, ac: Int, by reader: inout CodeReader, run: inout Int
    ) throws(Damaged) {
        var place = band.first
        while run == 0, place <= band.last {
            let code = try code(ac, by: &reader)
            var (zeros, bits) = (code >> 4, code & 15)
            if bits == 0, zeros < 15 {
                run = 1 << zeros + (try reader.bits(zeros))
                break
            }
            try reader.skip(bits)
            while band.isRefinement, place <= band.last {
                if known >> place & 1 == 1 {
                    try reader.skip(1)
                } else if zeros == 0 {
                    break
                } else {
                    zeros -= 1
                }
                place += 1
            }
            if !band.isRefinement { place += zeros }
            if bits > 0, place <= band.last { known |= 1 << place }
            place += 1
        }
        guard run > 0 else { return }
        if band.isRefinement, place <= band.last {
            for place in place...band.last where known >> place & 1 == 1 { try reader.skip(1) }
        }
        run -= 1
    }
}

/// How many bits each code of a Huffman table has, and what it means, by the next 16 bits.
struct HuffmanLengths {
    /// The length, and the meaning in the lower 8 bits. What lies behind them is no code: files may define thousands of empty tables.
    fileprivate let entries: [UInt16]

    /// `counts`: of codes with 1 to 16 bits. Nil: more than there are.
    fileprivate init?(_ counts: [Int], _ symbols: [UInt8]) {
        let size = counts.enumerated().reduce(0) { $0 + $1.element << (15 - $1.offset) }
        guard size <= 1 << 16 else { return nil }
        entries = Array(unsafeUninitializedCapacity: size) { entries, filled in
            var next = 0
            for (index, count) in counts.enumerated() {
                for symbol in symbols[next..<next + count] {
                    let repeated = 1 << (15 - index)
                    entries[filled..<filled + repeated].initialize(repeating: UInt16(index + 1) << 8 | UInt16(symbol))
                    filled += repeated
                }
                next += count
            }
        }
    }
}

/// Reads codes of one interval between restarts.
private struct CodeReader {
    /// Without stuffing, and with zeros behind.
    private var bytes: [UInt8] = []
    private let start: Int
    /// Where the interval ends in the data: at a marker, or at their end.
    private(set) var end: Int
    /// Bits that were read.
    private var position = 0
    private let count: Int

    init(_ data: UnsafeRawBufferPointer, from start: Int) {
        self.start = start
        end = start
        while end < data.count {
            let byte = data[end]
            if byte == 0xFF, end + 1 < data.count, data[end + 1] != 0 { break }
            bytes.append(byte)
            end += byte == 0xFF && end + 1 < data.count ? 2 : 1
        }
        count = bytes.count
        bytes += [0, 0, 0, 0]
    }

    mutating func code(_ table: HuffmanLengths) throws(JPEGCodes.Damaged) -> Int {
        let next = try next16()
        guard next < table.entries.count else { throw JPEGCodes.Damaged() }
        let entry = table.entries[next]
        position += Int(entry >> 8)
        return Int(entry & 0xFF)
    }

    mutating func skip(_ bits: Int) throws(JPEGCodes.Damaged) {
        position += bits
        guard position <= count * 8 else { throw JPEGCodes.Damaged() }
    }

    mutating func bits(_ count: Int) throws(JPEGCodes.Damaged) -> Int {
        let value = try next16() >> (16 - count)
        try skip(count)
        return value
    }

    private func next16() throws(JPEGCodes.Damaged) -> Int {
        guard position <= count * 8 else { throw JPEGCodes.Damaged() }
        let first = position >> 3
        let three = Int(bytes[first]) << 16 | Int(bytes[first + 1]) << 8 | Int(bytes[first + 2])
        return three >> (8 - position & 7) & 0xFFFF
    }

    /// Bytes of the data up to the last code.
    func used() throws(JPEGCodes.Damaged) -> Int {
        guard position <= count * 8 else { throw JPEGCodes.Damaged() }
        let read = (position + 7) >> 3
        return read + bytes[..<read].count { $0 == 0xFF }
    }
}

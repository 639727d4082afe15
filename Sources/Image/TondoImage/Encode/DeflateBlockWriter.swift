/// Writes blocks in the smallest of the three forms (RFC 1951 section 3.2.3).
struct DeflateBlockWriter: ~Copyable {
    /// The longest code of a dynamic block. Deflate permits 15 bits; with 14, four literals and the seven pending bits
    /// fit in one word, for almost the same size.
    private static let longestCode = 14
    /// The maximum size of a stored block (RFC 1951 section 3.2.4).
    private static let storedBytes = 65_535

    private let literals = HuffmanCode(capacity: 288)
    private let distances = HuffmanCode(capacity: 32)
    /// Bits of the fixed codes: 288 literals and lengths, 32 distances.
    private let fixedLengths: UnsafeMutablePointer<UInt8>
    private var header = CodeLengthHeader()
    private let source: UnsafePointer<UInt8>
    var writer: BitWriter

    /// Writes data at `source` to `writer`.
    init(source: UnsafePointer<UInt8>, writer: BitWriter) {
        self.source = source
        self.writer = writer
        fixedLengths = .allocate(capacity: 320)
        fixedLengths.initialize(repeating: 5, count: 320)
        for symbol in 0..<288 { fixedLengths[symbol] = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8 }
    }

    deinit { fixedLengths.deallocate() }

    /// Writes the block of `range`, divided into `count` sequences with these symbol counts.
    mutating func write(
        _ range: Range<Int>, sequences: UnsafePointer<DeflateSequence>, count: Int,
        histogram: borrowing DeflateHistogram, last: Bool
    ) {
        // Tokens do not include the end, which each block has once.
        histogram.counts[DeflateHistogram.endOfBlock] = 1
        literals.build(histogram.counts, count: DeflateHistogram.literals, limit: Self.longestCode)
        distances.build(
            histogram.distanceCounts, count: DeflateHistogram.distances, limit: Self.longestCode)
        header.describe(literals, distances: distances)
        let dynamic = header.bits + dynamicBits(histogram)
        let fixed = fixedBits(histogram)
        let stored = storedBits(range.count)
        if stored < min(dynamic, fixed) { return store(range, last: last) }
        writer.put(UInt64(last ? 1 : 0), width: 1)
        writer.put(dynamic < fixed ? 2 : 1, width: 2)
        if dynamic < fixed { header.write(to: &writer) } else { useFixedCodes() }
        writeSequences(source + range.lowerBound, sequences: sequences, count: count)
    }

    private func dynamicBits(_ histogram: borrowing DeflateHistogram) -> Int {
        var bits = histogram.extraBits
        for symbol in 0..<DeflateHistogram.literals { bits += Int(histogram.counts[symbol]) * literals.length(symbol) }
        for symbol in 0..<DeflateHistogram.distances {
            bits += Int(histogram.distanceCounts[symbol]) * distances.length(symbol)
        }
        return bits
    }

    private func fixedBits(_ histogram: borrowing DeflateHistogram) -> Int {
        var bits = histogram.extraBits
        for symbol in 0..<DeflateHistogram.literals {
            bits += Int(histogram.counts[symbol]) * Int(fixedLengths[symbol])
        }
        for symbol in 0..<DeflateHistogram.distances { bits += Int(histogram.distanceCounts[symbol]) * 5 }
        return bits
    }

    private func storedBits(_ count: Int) -> Int {
        let blocks = max(1, (count + Self.storedBytes - 1) / Self.storedBytes)
        return 8 * count + 40 * blocks
    }

    /// The codes of RFC 1951 section 3.2.6.
    private func useFixedCodes() {
        literals.assign(fixedLengths, count: 288)
        distances.assign(fixedLengths + 288, count: 32)
    }

    private mutating func store(_ range: Range<Int>, last: Bool) {
        var at = range.lowerBound
        repeat {
            let part = min(range.upperBound - at, Self.storedBytes)
            writer.put(last && at + part == range.upperBound ? 1 : 0, width: 3)
            writer.align()
            writer.put(UInt64(part), width: 16)
            writer.put(UInt64(part ^ 0xFFFF), width: 16)
            writer.append(source + at, count: part)
            at += part
        } while at < range.upperBound
    }

    private mutating func writeSequences(
        _ start: UnsafePointer<UInt8>, sequences: UnsafePointer<DeflateSequence>, count: Int
    ) {
        var at = start
        // A copy stays in registers.
        var out = writer
        let table = UnsafePointer(literals.entries)
        let zero = UInt64(table[0])
        for index in 0..<count {
            let sequence = sequences[index]
            Self.write(at, sequence: sequence, table: table, zero: zero, to: &out)
            at += sequence.literals
            let length = Int(sequence.length)
            if length > 0 {
                writeMatch(length: length, distance: Int(sequence.distance), to: &out)
                at += length
            }
        }
        let end = UInt64(table[DeflateHistogram.endOfBlock])
        out.put(end & 0xFFFF, width: end &>> 16)
        writer = out
    }

    /// Writes the literals of a sequence, four at a time; the table covers every byte value.
    @inline(__always)
    private static func write(
        _ start: UnsafePointer<UInt8>, sequence: DeflateSequence, table: UnsafePointer<UInt32>,
        zero: UInt64, to out: inout BitWriter
    ) {
        let count = sequence.literals
        var at = 0
        let head = min(sequence.phase, count)
        while at < head {
            let entry = UInt64(table[Int(start[at])])
            out.put(entry & 0xFFFF, width: entry &>> 16)
            at &+= 1
        }
        while at &+ 4 <= count {
            let pixel = UnsafeRawPointer(start + at).loadUnaligned(as: UInt32.self).littleEndian
            let one = UInt64(table[Int(pixel & 0xFF)])
            let two = UInt64(table[Int(pixel &>> 8 & 0xFF)])
            let three = UInt64(table[Int(pixel &>> 16 & 0xFF)])
            let four = pixel &>> 24 == 0 ? zero : UInt64(table[Int(pixel &>> 24)])
            out.add(one & 0xFFFF, width: one &>> 16)
            out.add(two & 0xFFFF, width: two &>> 16)
            out.add(three & 0xFFFF, width: three &>> 16)
            out.add(four & 0xFFFF, width: four &>> 16)
            out.flush()
            at &+= 4
        }
        while at < count {
            let entry = UInt64(table[Int(start[at])])
            out.put(entry & 0xFFFF, width: entry &>> 16)
            at &+= 1
        }
    }

    /// Writes a match: at most 14 + 5 + 14 + 13 bits.
    @inline(__always)
    private func writeMatch(length: Int, distance: Int, to out: inout BitWriter) {
        let first = DeflateSymbol(length: length)
        let second = DeflateSymbol(distance: distance)
        let lengthCode = UInt64(literals.entries[first.symbol])
        let distanceCode = UInt64(distances.entries[second.symbol])
        out.add(lengthCode & 0xFFFF, width: lengthCode &>> 16)
        out.add(first.extra, width: first.extraWidth)
        out.add(distanceCode & 0xFFFF, width: distanceCode &>> 16)
        out.add(second.extra, width: second.extraWidth)
        out.flush()
    }
}

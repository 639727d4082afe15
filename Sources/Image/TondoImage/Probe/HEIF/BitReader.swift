/// The bits of a coded header, the highest of each byte first.
struct BitReader {
    /// The header ends early, or has a number that no picture needs.
    struct Invalid: Error {}

    private let bytes: [UInt8]
    /// In bits, from the start.
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// `count`: 32 at most.
    mutating func bits(_ count: Int) throws(Invalid) -> Int {
        let start = position
        try skip(count)
        return (start..<position).reduce(0) { $0 << 1 | Int(bytes[$1 >> 3] >> (7 - $1 & 7)) & 1 }
    }

    mutating func flag() throws(Invalid) -> Bool { try bits(1) == 1 }

    mutating func skip(_ count: Int) throws(Invalid) {
        guard 0...(bytes.count * 8 - position) ~= count else { throw Invalid() }
        position += count
    }

    /// A number of variable length, up to `most`: ue(v) of ITU-T H.265 section 9.2, uvlc() of AV1 section 4.10.3.
    mutating func exponential(upTo most: Int = 1 << 20) throws(Invalid) -> Int {
        var zeros = 0
        while try !flag() {
            zeros += 1
            // Both standards permit 32 bits at most.
            guard zeros < 32 else { throw Invalid() }
        }
        let value = try 1 << zeros - 1 + bits(zeros)
        guard value <= most else { throw Invalid() }
        return value
    }

    mutating func skipExponentials(_ count: Int) throws(Invalid) {
        for _ in 0..<count { _ = try exponential(upTo: .max) }
    }
}

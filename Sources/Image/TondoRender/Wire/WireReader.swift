/// The bytes are not what the other side may send.
package struct WireError: Error, Equatable, Sendable {
    /// A noun phrase, which goes on a sentence such as "it sent ...".
    package let what: String

    init(_ what: String) { self.what = what }
}

/// Reads what `WireWriter` wrote, from a side that is not trusted: every length is checked, every number has a range.
struct WireReader {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(WireError) -> Number {
        let size = MemoryLayout<Number>.size
        guard bytes.count - offset >= size else { throw WireError("too few bytes") }
        defer { offset += size }
        return bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self)) }
    }

    mutating func number(in range: ClosedRange<Int>) throws(WireError) -> Int {
        guard let value = Int(exactly: try number(Int64.self)), range.contains(value) else {
            throw WireError("a number out of its range")
        }
        return value
    }

    mutating func double() throws(WireError) -> Double {
        let value = Double(bitPattern: try number())
        guard value.isFinite else { throw WireError("not a finite number") }
        return value
    }

    mutating func flag() throws(WireError) -> Bool {
        switch try number(UInt8.self) {
        case 0: false
        case 1: true
        default: throw WireError("neither true nor false")
        }
    }

    mutating func part(limit: Int) throws(WireError) -> [UInt8] {
        let count = Int(try number(UInt32.self))
        // Before anything is allocated for it.
        guard count <= limit, count <= bytes.count - offset else { throw WireError("a part that is too long") }
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    mutating func text(limit: Int) throws(WireError) -> String {
        guard let text = String(validating: try part(limit: limit), as: UTF8.self) else { throw WireError("not UTF-8") }
        return text
    }

    mutating func optional<Value>(
        _ body: (inout WireReader) throws(WireError) -> Value
    ) throws(WireError) -> Value? {
        try flag() ? try body(&self) : nil
    }

    mutating func list<Value>(
        limit: Int, _ body: (inout WireReader) throws(WireError) -> Value
    ) throws(WireError) -> [Value] {
        let count = Int(try number(UInt32.self))
        guard count <= limit else { throw WireError("too many values") }
        var values: [Value] = []
        for _ in 0..<count { values.append(try body(&self)) }
        return values
    }

    /// One of the cases, by its index.
    mutating func oneOf<Value>(_ cases: [Value]) throws(WireError) -> Value {
        let index = Int(try number(UInt8.self))
        guard cases.indices.contains(index) else { throw WireError("an unknown case") }
        return cases[index]
    }

    /// The last value was read.
    func end() throws(WireError) {
        if offset != bytes.count { throw WireError("too many bytes") }
    }
}

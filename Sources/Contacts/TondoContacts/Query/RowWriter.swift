/// Writes bytes and numbers to be read by a `RowReader` of the same machine: each list behind its length.
struct RowWriter {
    private(set) var bytes: [UInt8] = []

    mutating func put(_ list: [UInt8]) {
        put(UInt32(list.count))
        bytes += list
    }

    mutating func put(_ list: [UInt32]) {
        put(UInt32(list.count))
        list.withUnsafeBytes { bytes += $0 }
    }

    private mutating func put(_ number: UInt32) { withUnsafeBytes(of: number) { bytes += $0 } }
}

/// Reads what a `RowWriter` wrote. Nil answers: the bytes are others.
struct RowReader {
    private let source: UnsafeRawBufferPointer
    private var offset = 0

    init(_ source: UnsafeRawBufferPointer) { self.source = source }

    var isAtEnd: Bool { offset == source.count }

    mutating func bytes() -> [UInt8]? { part(of: 1).map { Array($0) } }

    mutating func numbers() -> [UInt32]? {
        part(of: 4).map { part in
            [UInt32](unsafeUninitializedCapacity: part.count / 4) { buffer, count in
                UnsafeMutableRawBufferPointer(buffer).copyMemory(from: part)
                count = part.count / 4
            }
        }
    }

    /// `width`: bytes of an element.
    private mutating func part(of width: Int) -> UnsafeRawBufferPointer? {
        guard offset + 4 <= source.count else { return nil }
        let count = Int(source.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) * width
        guard offset + 4 + count <= source.count else { return nil }
        defer { offset += 4 + count }
        return UnsafeRawBufferPointer(rebasing: source[(offset + 4)..<(offset + 4 + count)])
    }
}

internal import Glibc

/// An event of one watch: inotify(7).
struct WatchRecord: Equatable, Sendable {
    let watch: Int32
    let mask: UInt32
    /// The name of an entry in the watched folder; empty for the folder itself.
    let name: [UInt8]

    func has(_ flag: some BinaryInteger) -> Bool { mask & UInt32(truncatingIfNeeded: flag) != 0 }

    var isFolder: Bool { has(IN_ISDIR) }

    /// The records of a buffer, in their order. `isWhole` is false if the bytes are invalid from some record on: then
    /// events were missed.
    static func parse(_ buffer: UnsafeRawBufferPointer) -> (records: [WatchRecord], isWhole: Bool) {
        var records: [WatchRecord] = []
        var offset = 0
        while offset < buffer.count {
            guard buffer.count - offset >= headerSize else { return (records, false) }
            let length = Int(buffer.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
            let start = offset + headerSize
            guard length <= buffer.count - start else { return (records, false) }
            let name = buffer[start..<(start + length)].prefix { $0 != 0 }
            // A name is padded with at least one zero, and names an entry.
            guard length == 0 || name.count < length, isEntry(name) else { return (records, false) }
            records.append(
                WatchRecord(
                    watch: buffer.loadUnaligned(fromByteOffset: offset, as: Int32.self),
                    mask: buffer.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self), name: Array(name)))
            offset = start + length
        }
        return (records, true)
    }

    /// Bytes before the name.
    static let headerSize = 16

    private static func isEntry(_ name: Slice<UnsafeRawBufferPointer>) -> Bool {
        let isDots = name.count <= 2 && !name.isEmpty && name.allSatisfy { $0 == UInt8(ascii: ".") }
        return !isDots && !name.contains(UInt8(ascii: "/"))
    }
}

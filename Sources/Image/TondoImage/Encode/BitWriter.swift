/// Writes bits to memory, least significant first (RFC 1951 section 3.1.1).
///
/// `bytes` must have room for all written data and eight bytes more.
struct BitWriter {
    private(set) var bytes: UnsafeMutablePointer<UInt8>
    /// Bits not yet in memory; fewer than eight after a `flush`.
    private(set) var pending: UInt64 = 0
    private(set) var count: UInt64 = 0

    init(bytes: UnsafeMutablePointer<UInt8>) { self.bytes = bytes }

    /// Adds bits; at most 56 between two `flush`es.
    @inline(__always)
    mutating func add(_ bits: UInt64, width: UInt64) {
        pending |= bits &<< count
        count &+= width
    }

    /// Moves whole bytes to memory.
    @inline(__always)
    mutating func flush() {
        // Eight bytes are stored at a time, hence the required room.
        UnsafeMutableRawPointer(bytes).storeBytes(of: pending.littleEndian, as: UInt64.self)
        bytes += Int(truncatingIfNeeded: count &>> 3)
        pending &>>= count & 56
        count &= 7
    }

    /// Adds and flushes in one call.
    @inline(__always)
    mutating func put(_ bits: UInt64, width: UInt64) {
        add(bits, width: width)
        flush()
    }

    /// Pads the last byte with zeros.
    mutating func align() {
        count = (count + 7) & ~7
        flush()
    }

    /// Copies whole bytes; only when aligned.
    mutating func append(_ source: UnsafePointer<UInt8>, count: Int) {
        assert(self.count == 0)
        bytes.update(from: source, count: count)
        bytes += count
    }
}

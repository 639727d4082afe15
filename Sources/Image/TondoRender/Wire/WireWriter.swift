/// Writes values one after the other, numbers little-endian, for `WireReader`.
struct WireWriter {
    private(set) var bytes: [UInt8] = []

    /// `capacity`: bytes for which there is room at once.
    init(capacity: Int = 64) { bytes.reserveCapacity(capacity) }

    mutating func put<Number: FixedWidthInteger>(_ value: Number) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func put(_ value: Int) { put(Int64(value)) }

    mutating func put(_ value: Double) { put(value.bitPattern) }

    mutating func put(_ value: Bool) { put(value ? 1 : 0 as UInt8) }

    mutating func put(_ text: String) { put(Array(text.utf8)) }

    /// With their number.
    mutating func put(_ part: [UInt8]) {
        put(UInt32(clamping: part.count))
        bytes += part
    }

    mutating func put<Value>(_ value: Value?, with body: (inout WireWriter, Value) -> Void) {
        put(value != nil)
        if let value { body(&self, value) }
    }

    mutating func put<Value>(_ values: [Value], with body: (inout WireWriter, Value) -> Void) {
        put(UInt32(clamping: values.count))
        for value in values { body(&self, value) }
    }
}

internal import libdeflate

/// The file with each chunk's check sum put right; nil when all of them are.
func repairedPNG(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    var copy = Array(bytes)
    var offset = 8
    while offset + 12 <= copy.count {
        let length = copy[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
        let end = offset + 8 + length
        guard end + 4 <= copy.count else { break }
        let checksum = copy[(offset + 4)..<end].withUnsafeBytes {
            libdeflate_crc32(0, $0.baseAddress, $0.count)
        }
        for i in 0..<4 { copy[end + i] = UInt8(truncatingIfNeeded: checksum >> (24 - 8 * UInt32(i))) }
        offset = end + 4
    }
    return copy.elementsEqual(bytes) ? nil : copy
}

internal import FuzzSupport
internal import TondoImage
internal import TondoRender
internal import libdeflate

/// The same EXIF block in a JPEG and in a PNG must mean the same and never keep the picture from being drawn.
func orientAlike(_ tiff: UnsafeRawBufferPointer) {
    // What fits into one JPEG segment, and what both wrappers pass on: an empty block is none.
    guard (1...65_527).contains(tiff.count) else { return }
    let orientations = [jpeg(tiff), png(tiff)].map { file in
        file.withUnsafeBytes { bytes in
            Fuzzing.require(Fuzzing.draws(bytes), "EXIF keeps a picture from being drawn")
            if Worker.takes(tiff) { Worker.all.compare(bytes) }
            return try? ImageHeader(probing: bytes).orientation
        }
    }
    Fuzzing.require(orientations[0] == orientations[1], "EXIF means one thing in JPEG and another in PNG")
}

/// Some files go through the program that decodes, too, which takes many times as long.
private enum Worker {
    static let all = FuzzedWorkers(.standard)

    /// A quarter of all blocks, by their bytes, so that a block that fails does so again.
    static func takes(_ tiff: UnsafeRawBufferPointer) -> Bool { tiff.reduce(0) { ($0 &+ Int($1)) & 3 } == 0 }
}

private func jpeg(_ tiff: UnsafeRawBufferPointer) -> [UInt8] {
    let length = 2 + 6 + tiff.count
    let label: [UInt8] = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + Array("Exif\0\0".utf8)
    return [0xFF, 0xD8] + label + tiff + grayJPEG
}

/// A gray JPEG of 16 x 8 pixels, two blocks of DC 0, after its start marker.
private let grayJPEG: [UInt8] =
    [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
    + [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 16, 1, 1, 0x11, 0]
    // One code of one bit each: DC category 0 and end of block.
    + [0xFF, 0xC4, 0, 20, 0x00, 1] + [UInt8](repeating: 0, count: 16)
    + [0xFF, 0xC4, 0, 20, 0x10, 1] + [UInt8](repeating: 0, count: 16)
    // The scan: four bits of 0, filled up with ones.
    + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x0F, 0xFF, 0xD9]

private func png(_ tiff: UnsafeRawBufferPointer) -> [UInt8] {
    // Two rows of 2 gray pixels, each after its filter byte, as one stored deflate block.
    let rows: [UInt8] = [0, 60, 180, 0, 120, 240]
    let checksum = libdeflate_adler32(1, rows, rows.count)
    let data = [0x78, 0x01, 1, 6, 0, 0xF9, 0xFF] + rows + bigEndian(checksum)
    return [0x89] + Array("PNG\r\n\u{1A}\n".utf8)
        + chunk("IHDR", [0, 0, 0, 2, 0, 0, 0, 2, 8, 0, 0, 0, 0])
        + chunk("eXIf", Array(tiff)) + chunk("IDAT", data) + chunk("IEND", [])
}

private func chunk(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    let checked = Array(type.utf8) + payload
    return bigEndian(UInt32(payload.count)) + checked + bigEndian(libdeflate_crc32(0, checked, checked.count))
}

private func bigEndian(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
}

import libpng
import zlib

/// Reads PNG files back: the pixels by libpng, the filtered rows by zlib, the chunks by hand.
struct PNGReader {
    struct Chunk {
        let type: String
        let data: [UInt8]
        let crcIsRight: Bool
    }

    let chunks: [Chunk]
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var found: [Chunk] = []
        var at = 8
        while at + 12 <= bytes.count {
            let size = Self.number(bytes, at)
            let data = Array(bytes[at + 8..<at + 8 + size])
            let crc = Array(bytes[at + 4..<at + 8 + size]).withUnsafeBufferPointer {
                zlib.crc32(0, $0.baseAddress, UInt32($0.count))
            }
            let type = String(decoding: bytes[at + 4..<at + 8], as: UTF8.self)
            let right = UInt(Self.number(bytes, at + 8 + size)) == crc
            found.append(Chunk(type: type, data: data, crcIsRight: right))
            at += 12 + size
        }
        chunks = found
    }

    /// The data of the IDAT chunk: a zlib stream.
    var stream: [UInt8] { chunks.first { $0.type == "IDAT" }?.data ?? [] }

    /// The pixels as libpng decodes them, or nil if it does not.
    func pixels() -> [UInt8]? {
        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        guard png_image_begin_read_from_memory(&image, bytes, bytes.count) != 0 else { return nil }
        image.format = 3  // PNG_FORMAT_RGBA
        var pixels = [UInt8](repeating: 0, count: Int(image.width) * Int(image.height) * 4)
        guard png_image_finish_read(&image, nil, &pixels, 0, nil) != 0 else { return nil }
        return image.warning_or_error == 0 ? pixels : nil
    }

    /// The filtered rows as zlib inflates them, or nil if it does not.
    func filteredRows(width: Int, height: Int) -> [UInt8]? {
        var rows = [UInt8](repeating: 0, count: (4 * width + 1) * height)
        var size = UInt(rows.count)
        guard uncompress(&rows, &size, stream, UInt(stream.count)) == Z_OK else { return nil }
        return size == UInt(rows.count) ? rows : nil
    }

    private static func number(_ bytes: [UInt8], _ at: Int) -> Int {
        bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}

/// Walks the blocks of a GIF (GIF89a specification) up to its first image.
enum GIFHeader {
    static func read(_ bytes: UnsafeRawBufferPointer) throws(ImageError) -> ImageHeader {
        guard bytes.has("GIF87a") || bytes.has("GIF89a") else {
            throw bytes.count < 6
                ? .truncated("the file ends in the GIF header") : .corrupt("a GIF of no known version")
        }
        var reader = ByteReader(bytes)
        reader.offset = 6
        do throws(OutOfBytes) { return try header(&reader) } catch { throw error.reason }
    }

    /// Why reading stopped.
    struct OutOfBytes: Error {
        var reason = ImageError.truncated("the file ends before its first image")
    }

    private static func header(_ reader: inout ByteReader) throws(OutOfBytes) -> ImageHeader {
        let (width, height) = (try reader.number(2), try reader.number(2))
        let flags = try reader.number(1)
        _ = try reader.number(2)
        let shared = try colors(flags, from: &reader)
        var transparent: Int?
        while true {
            switch try reader.number(1) {
            case 0x21:
                let label = try reader.number(1)
                if label == 0xF9 { transparent = try transparentIndex(reader) }
                try skipBlocks(&reader)
            case 0x2C:
                var frame = try frame(shared: shared, screen: (width, height), from: &reader)
                frame.transparent = transparent
                // Browsers enlarge a screen that does not hold its image.
                var header = ImageHeader(
                    format: .gif, width: max(width, frame.x + frame.width), height: max(height, frame.y + frame.height))
                header.gif = frame
                return header
            // Some writers put zeros between blocks.
            case 0: continue
            case 0x3B: throw OutOfBytes(reason: .corrupt("no image"))
            case let block: throw OutOfBytes(reason: .corrupt("a block of unknown kind \(block)"))
            }
        }
    }

    /// The bytes of the colour table that follows, if the flags declare one.
    private static func colors(_ flags: Int, from reader: inout ByteReader) throws(OutOfBytes) -> Range<Int>? {
        guard flags & 0x80 != 0 else { return nil }
        let start = reader.offset
        guard reader.slice(3 * (2 << (flags & 7))) != nil else { throw OutOfBytes() }
        return start..<reader.offset
    }

    /// `block`: where the first block of a graphic control extension begins.
    private static func transparentIndex(_ block: ByteReader) throws(OutOfBytes) -> Int? {
        var reader = block
        guard try reader.number(1) >= 4 else { return nil }
        let flags = try reader.number(1)
        _ = try reader.number(2)
        let index = try reader.number(1)
        return flags & 1 == 1 ? index : nil
    }

    private static func skipBlocks(_ reader: inout ByteReader) throws(OutOfBytes) {
        while true {
            let count = try reader.number(1)
            if count == 0 { return }
            guard reader.slice(count) != nil else { throw OutOfBytes() }
        }
    }

    private static func frame(
        shared: Range<Int>?, screen: (width: Int, height: Int), from reader: inout ByteReader
    ) throws(OutOfBytes) -> GIFFrame {
        let (x, y) = (try reader.number(2), try reader.number(2))
        let stated = (width: try reader.number(2), height: try reader.number(2))
        // Encoders forget it; browsers show such an image on the whole screen.
        let size = stated.width * stated.height > 0 ? stated : screen
        let flags = try reader.number(1)
        let own = try colors(flags, from: &reader)
        let colors = own ?? shared ?? reader.offset..<reader.offset
        let codeSize = try reader.number(1)
        // 2...8 is what the specification permits. Encoders also write 1 for two colours, and more than their colours need.
        guard 1...11 ~= codeSize else { throw OutOfBytes(reason: .corrupt("codes of \(codeSize) bits")) }
        return GIFFrame(
            x: x, y: y, width: size.width, height: size.height, isInterlaced: flags & 0x40 != 0, colors: colors,
            codeSize: codeSize, data: reader.offset)
    }
}

extension ByteReader {
    fileprivate mutating func number(_ count: Int) throws(GIFHeader.OutOfBytes) -> Int {
        guard let number = littleEndian(count) else { throw GIFHeader.OutOfBytes() }
        return number
    }
}

/// The first image of a GIF, in pixels of its screen.
package struct GIFFrame: Equatable, Sendable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
    var isInterlaced: Bool
    /// Three bytes each, in the file; empty if there is no table.
    var colors: Range<Int>
    /// The index whose pixels are transparent.
    var transparent: Int?
    /// Bits of an index in the compressed data.
    var codeSize: Int
    /// Where the compressed data begin in the file: blocks of a length and as many bytes.
    var data: Int

    /// The stored row of a row of the picture.
    func storedRow(_ row: Int) -> Int {
        guard isInterlaced else { return row }
        let passes = ((height + 7) / 8, (height + 3) / 8, (height + 1) / 4)
        switch row & 7 {
        case 0: return row / 8
        case 4: return passes.0 + row / 8
        case 2, 6: return passes.0 + passes.1 + row / 4
        default: return passes.0 + passes.1 + passes.2 + row / 2
        }
    }
}

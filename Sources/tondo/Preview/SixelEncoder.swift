import TondoImage

/// Sixel graphics (DEC VT330/VT340 Programmer Reference Manual, volume 2, chapter 14): an image with few colours in
/// bands of six rows.
enum SixelEncoder {
    /// Side in pixels. Larger than most windows; xterm's limit is 1000.
    static let longestSide = 640

    /// An avatar, scaled down if it is larger than `longestSide`.
    static func encode(_ avatar: [UInt8], longestSide: Int = longestSide) throws(RenderError) -> [UInt8] {
        let canvas = try avatar.withUnsafeBufferPointer { bytes throws(RenderError) in
            try Canvas(showing: Photo(UnsafeRawBufferPointer(bytes)), longestSide: longestSide)
        }
        return encode(IndexedImage(canvas))
    }

    /// The second parameter, 1, leaves pixels that are not drawn unchanged.
    static func encode(_ image: IndexedImage) -> [UInt8] {
        var bytes = Array("\u{1B}P0;1;0q\"1;1;\(image.side);\(image.side)".utf8)
        for (index, color) in image.palette.enumerated() {
            bytes += "#\(index);2;\(color.red);\(color.green);\(color.blue)".utf8
        }
        for top in stride(from: 0, to: image.side, by: 6) {
            if top > 0 { bytes.append(UInt8(ascii: "-")) }
            bytes += band(top, of: image)
        }
        return bytes + "\u{1B}\\".utf8
    }

    /// Six rows from `top`: one pass per colour, with a return to the left edge in between.
    private static func band(_ top: Int, of image: IndexedImage) -> [UInt8] {
        var passes: [UInt8: [UInt8]] = [:]
        let empty = [UInt8](repeating: 0, count: image.side)
        for y in top..<min(top + 6, image.side) {
            for x in 0..<image.side {
                guard let index = image.indices[y * image.side + x] else { continue }
                passes[index, default: empty][x] |= 1 << UInt8(y - top)
            }
        }
        let lines = passes.sorted { $0.key < $1.key }.map { "#\($0.key)".utf8 + runs($0.value) }
        return Array(lines.joined(separator: CollectionOfOne(UInt8(ascii: "$"))))
    }

    /// `columns`: one bit for each of the six pixels, the topmost lowest. Trailing empty columns are omitted.
    private static func runs(_ columns: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        var start = 0
        let end = (columns.lastIndex { $0 != 0 } ?? -1) + 1
        while start < end {
            let bits = columns[start]
            let next = columns[start..<end].firstIndex { $0 != bits } ?? end
            let character = bits + 63
            if next - start > 3 {
                bytes += "!\(next - start)".utf8 + [character]
            } else {
                bytes += [UInt8](repeating: character, count: next - start)
            }
            start = next
        }
        return bytes
    }
}

internal import libdeflate

/// Reads the recipe from an avatar's tEXt chunk: of a PNG (third edition, section 11.3.3.2) or, in the same form, of a WebP.
enum RecipeReader {
    /// The keyword of the chunk.
    static let keyword = "tondo-recipe"

    /// The beginning of the chunk's data.
    private static let start = Array(keyword.utf8) + [0]
    private static let text: [UInt8] = Array("tEXt".utf8)
    private static let pixels: [UInt8] = Array("IDAT".utf8)
    private static let frames: [[UInt8]] = [Array("VP8 ".utf8), Array("VP8L".utf8)]

    /// Nil if there is no intact one. `avatar`: at least the chunks before the pixels.
    static func recipe(in avatar: UnsafeRawBufferPointer) -> Recipe? {
        EntryFormat(avatar) == .webp ? ofWebP(avatar) : ofPNG(avatar)
    }

    private static func ofPNG(_ png: UnsafeRawBufferPointer) -> Recipe? {
        var offset = 8
        while offset + 12 <= png.count {
            let size = Int(UInt32(bigEndian: png.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
            // The renderer writes the chunk before the pixels, so nothing is searched behind them.
            guard size <= png.count - offset - 12, !png.holds(pixels, at: offset + 4) else { return nil }
            if png.holds(text, at: offset + 4), size >= start.count, png.holds(start, at: offset + 8) {
                let checked = UnsafeRawBufferPointer(rebasing: png[(offset + 4)..<(offset + 8 + size)])
                let sum = png.loadUnaligned(fromByteOffset: offset + 8 + size, as: UInt32.self)
                guard UInt32(bigEndian: sum) == libdeflate_crc32(0, checked.baseAddress, checked.count) else {
                    return nil
                }
                return Recipe(String(decoding: checked.dropFirst(4 + start.count), as: UTF8.self))
            }
            offset += size + 12
        }
        return nil
    }

    /// Chunks of a WebP have no checksum; that of the trailer covers them.
    private static func ofWebP(_ webp: UnsafeRawBufferPointer) -> Recipe? {
        var offset = 12
        while offset + 8 <= webp.count {
            let size = Int(UInt32(littleEndian: webp.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)))
            guard size <= webp.count - offset - 8, !frames.contains(where: { webp.holds($0, at: offset) }) else {
                return nil
            }
            if webp.holds(text, at: offset), size >= start.count, webp.holds(start, at: offset + 8) {
                let value = webp[(offset + 8 + start.count)..<(offset + 8 + size)]
                return Recipe(String(decoding: value, as: UTF8.self))
            }
            offset += 8 + size + size & 1
        }
        return nil
    }
}

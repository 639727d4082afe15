internal import libdeflate

/// Reads the recipe out of a picture's tEXt chunks (PNG third edition 11.3.3.2).
enum RecipeReader {
    /// The keyword it stands under.
    static let keyword = "tondo-recipe"

    /// Nil when there is none that is whole. `png`: at least the chunks in front of the pixels.
    static func recipe(in png: UnsafeRawBufferPointer) -> Ingredients? {
        let start = Array(keyword.utf8) + [0]
        var offset = 8
        while offset + 12 <= png.count {
            let size = Int(UInt32(bigEndian: png.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
            guard size <= png.count - offset - 12 else { return nil }
            let type = png[(offset + 4)..<(offset + 8)]
            let data = png[(offset + 8)..<(offset + 8 + size)]
            if type.elementsEqual("IDAT".utf8) { return nil }
            if type.elementsEqual("tEXt".utf8), data.starts(with: start) {
                let checked = UnsafeRawBufferPointer(rebasing: png[(offset + 4)..<(offset + 8 + size)])
                let sum = png.loadUnaligned(fromByteOffset: offset + 8 + size, as: UInt32.self)
                guard UInt32(bigEndian: sum) == libdeflate_crc32(0, checked.baseAddress, checked.count) else {
                    return nil
                }
                return Ingredients(String(decoding: data.dropFirst(start.count), as: UTF8.self))
            }
            offset += size + 12
        }
        return nil
    }
}

/// The sequence parameter set of HEVC (ITU-T H.265 sections 7.3.2.2 and E.2.1), as far as the size and the colours need it.
struct HEVCSequence {
    /// The coded size, and the part of it that decoders give.
    private(set) var canvas = HEIFImage.Size(width: 0, height: 0)
    private(set) var window = PixelRectangle(x: 0, y: 0, width: 0, height: 0)
    /// Nil: no colours are stated.
    private(set) var color: HEIFColor?
    private var bits: BitReader

    /// A longer set belongs to no picture.
    private static let longest = 4_096

    /// `unit`: the whole NAL unit, of two bytes and the set.
    init(_ unit: UnsafeRawBufferPointer) throws(BitReader.Invalid) {
        bits = BitReader(Self.unescaped(unit.dropFirst(2).prefix(Self.longest)))
        try bits.skip(4)
        let subLayers = try bits.bits(3)
        try bits.skip(1)
        try skipProfile(subLayers)
        try readSize()
        try skipCoding(subLayers)
        if try bits.flag() { try readUsability() }
    }

    /// Without the byte 3 that keeps two zeros from looking like the start of a unit (section 7.4.2.3).
    private static func unescaped(_ bytes: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
        var (result, zeros) = ([UInt8](), 0)
        for byte in bytes {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            result.append(byte)
        }
        return result
    }

    /// profile_tier_level (section 7.3.3).
    private mutating func skipProfile(_ subLayers: Int) throws(BitReader.Invalid) {
        try bits.skip(96)
        guard subLayers > 0 else { return }
        var lengths = 0
        for _ in 0..<subLayers { lengths += try (bits.flag() ? 88 : 0) + (bits.flag() ? 8 : 0) }
        try bits.skip(2 * (8 - subLayers) + lengths)
    }

    private mutating func readSize() throws(BitReader.Invalid) {
        _ = try bits.exponential()
        let chroma = try bits.exponential(upTo: 3)
        if chroma == 3 { try bits.skip(1) }
        canvas = try HEIFImage.Size(width: bits.exponential(), height: bits.exponential())
        guard canvas.width > 0, canvas.height > 0 else { throw BitReader.Invalid() }
        window = PixelRectangle(x: 0, y: 0, width: canvas.width, height: canvas.height)
        guard try bits.flag() else { return }
        // Offsets of the conformance window, in samples of chroma.
        let (across, down) = (chroma == 1 || chroma == 2 ? 2 : 1, chroma == 1 ? 2 : 1)
        let (left, right) = try (across * bits.exponential(), across * bits.exponential())
        let (top, bottom) = try (down * bits.exponential(), down * bits.exponential())
        guard left + right < canvas.width, top + bottom < canvas.height else { throw BitReader.Invalid() }
        window = PixelRectangle(
            x: left, y: top, width: canvas.width - left - right, height: canvas.height - top - bottom)
    }

    /// Everything between the size and the colours.
    private mutating func skipCoding(_ subLayers: Int) throws(BitReader.Invalid) {
        try bits.skipExponentials(2)
        let orderBits = try bits.exponential(upTo: 12) + 4
        let orders = try bits.flag() ? subLayers + 1 : 1
        try bits.skipExponentials(3 * orders + 6)
        if try bits.flag(), try bits.flag() { try skipScalingLists() }
        try bits.skip(2)
        if try bits.flag() {
            try bits.skip(8)
            try bits.skipExponentials(2)
            try bits.skip(1)
        }
        try skipReferenceSets()
        if try bits.flag() {
            let longTerm = try bits.exponential(upTo: 32)
            try bits.skip(longTerm * (orderBits + 1))
        }
        try bits.skip(2)
    }

    /// scaling_list_data (section 7.3.4).
    private mutating func skipScalingLists() throws(BitReader.Invalid) {
        for size in 0..<4 {
            for _ in 0..<(size == 3 ? 2 : 6) {
                guard try bits.flag() else {
                    try bits.skipExponentials(1)
                    continue
                }
                try bits.skipExponentials((size > 1 ? 1 : 0) + min(64, 16 << (2 * size)))
            }
        }
    }

    /// st_ref_pic_set (section 7.3.7).
    private mutating func skipReferenceSets() throws(BitReader.Invalid) {
        let count = try bits.exponential(upTo: 64)
        var pictures = 0
        for index in 0..<count {
            if index > 0, try bits.flag() {
                try bits.skip(1)
                try bits.skipExponentials(1)
                var kept = 0
                for _ in 0...pictures { kept += try bits.flag() ? 1 : bits.bits(1) }
                pictures = kept
            } else {
                pictures = try bits.exponential(upTo: 16) + bits.exponential(upTo: 16)
                for _ in 0..<pictures {
                    try bits.skipExponentials(1)
                    try bits.skip(1)
                }
            }
        }
    }

    /// vui_parameters, up to the colours.
    private mutating func readUsability() throws(BitReader.Invalid) {
        if try bits.flag(), try bits.bits(8) == 255 { try bits.skip(32) }
        if try bits.flag() { try bits.skip(1) }
        guard try bits.flag() else { return }
        try bits.skip(3)
        let isFullRange = try bits.flag()
        color = HEIFColor(primaries: 2, curve: 2, matrix: 2, isFullRange: isFullRange)
        guard try bits.flag() else { return }
        color = try HEIFColor(
            primaries: bits.bits(8), curve: bits.bits(8), matrix: bits.bits(8), isFullRange: isFullRange)
    }
}

/// What the coded data of a picture say of themselves: the decoder's configuration, and the sequence header in it.
struct HEIFBitstream {
    /// What decoders give. Nil: not stated, or unreadable.
    private(set) var size: HEIFImage.Size?
    /// The size of an HEVC picture before its cut. The part that is shown is apart.
    private(set) var canvas: HEIFImage.Size?
    private(set) var window: PixelRectangle?
    /// One channel.
    private(set) var isGray = false
    /// Bits for a value.
    private(set) var depth = 8
    /// Nil: not stated.
    private(set) var color: HEIFColor?

    /// `configuration`: a box hvcC (ISO/IEC 14496-15 section 8.3.3.1) or av1C (AV1 in ISOBMFF section 2.3). `data`: the start
    /// of the coded picture, which holds the header of an AV1 picture if the box does not.
    init?(configuration: HEIFBoxes.Box, data: Range<Int>?, in bytes: UnsafeRawBufferPointer) {
        let box = UnsafeRawBufferPointer(rebasing: bytes[configuration.payload])
        if configuration.has("hvcC") {
            guard box.count > 22 else { return nil }
            isGray = box[16] & 3 == 0
            depth = 8 + Int(max(box[17] & 7, isGray ? 0 : box[18] & 7))
            take(Self.parameters(box).flatMap { try? HEVCSequence($0) })
        } else if configuration.has("av1C") {
            guard box.count >= 4 else { return nil }
            isGray = box[2] & 0x10 != 0
            depth = box[2] & 0x40 == 0 ? 8 : box[2] & 0x20 == 0 ? 10 : 12
            let start = data?.clamped(to: 0..<bytes.count) ?? 0..<0
            let sequence =
                AV1Sequence(in: UnsafeRawBufferPointer(rebasing: box[4...]))
                ?? AV1Sequence(in: UnsafeRawBufferPointer(rebasing: bytes[start]))
            size = sequence?.size
            color = sequence?.color
        } else {
            return nil
        }
    }

    private mutating func take(_ sequence: HEVCSequence?) {
        guard let sequence else { return }
        size = HEIFImage.Size(width: sequence.window.width, height: sequence.window.height)
        canvas = sequence.canvas
        window = sequence.window
        color = sequence.color
    }

    /// The first sequence parameter set of the base layer in a box hvcC.
    private static func parameters(_ box: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        var reader = ByteReader(box)
        reader.offset = 22
        for _ in 0..<(reader.byte() ?? 0) {
            guard let kind = reader.byte(), let count = reader.bigEndian16() else { return nil }
            for _ in 0..<count {
                guard let length = reader.bigEndian16(), let unit = reader.slice(length) else { return nil }
                // Other layers, such as the second eye's, have sets of their own.
                let isBaseLayer = length > 2 && unit[0] & 1 == 0 && unit[1] >> 3 == 0
                if kind & 0x3F == 33, isBaseLayer { return unit }
            }
        }
        return nil
    }
}

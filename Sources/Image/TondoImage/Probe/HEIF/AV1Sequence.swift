/// The sequence header of AV1 (AV1 specification, sections 5.5 and 6.4), as far as the size and the colours need it.
struct AV1Sequence {
    private(set) var size = HEIFImage.Size(width: 0, height: 0)
    private(set) var color = HEIFColor(primaries: 2, curve: 2, matrix: 2, isFullRange: false)
    private var bits: BitReader

    /// A longer header belongs to no picture.
    private static let longest = 4_096
    /// Units before the header: a temporal delimiter, metadata.
    private static let mostUnits = 16

    /// The first one in units of AV1 (section 5.3), or nil.
    init?(in units: UnsafeRawBufferPointer) {
        var reader = ByteReader(units)
        for _ in 0..<Self.mostUnits {
            guard let first = reader.byte() else { return nil }
            if first & 4 != 0, reader.byte() == nil { return nil }
            guard let length = first & 2 != 0 ? Self.length(&reader) : reader.remaining,
                let content = reader.slice(min(length, reader.remaining))
            else { return nil }
            guard first >> 3 & 0xF == 1 else { continue }
            try? self.init(content)
            return
        }
        return nil
    }

    /// leb128 (section 4.10.5).
    private static func length(_ reader: inout ByteReader) -> Int? {
        var value = 0
        for index in 0..<8 {
            guard let byte = reader.byte() else { return nil }
            value |= (byte & 0x7F) << (7 * index)
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }

    /// `header`: without the one of its unit.
    private init(_ header: UnsafeRawBufferPointer) throws(BitReader.Invalid) {
        bits = BitReader(Array(header.prefix(Self.longest)))
        let profile = try bits.bits(3)
        try bits.skip(1)
        let isReduced = try bits.flag()
        if isReduced { try bits.skip(5) } else { try skipOperatingPoints() }
        try readSize(isReduced: isReduced)
        try skipTools(isReduced: isReduced)
        try readColor(profile)
    }

    private mutating func skipOperatingPoints() throws(BitReader.Invalid) {
        // The length of the delays in bits, if there is a decoder model.
        var delay: Int?
        if try bits.flag() {
            try bits.skip(64)
            if try bits.flag() { try bits.skipExponentials(1) }
            if try bits.flag() {
                delay = try bits.bits(5) + 1
                try bits.skip(42)
            }
        }
        let hasDisplayDelay = try bits.flag()
        for _ in 0...(try bits.bits(5)) {
            try bits.skip(12)
            if try bits.bits(5) > 7 { try bits.skip(1) }
            if let delay, try bits.flag() { try bits.skip(2 * delay + 1) }
            if hasDisplayDelay, try bits.flag() { try bits.skip(4) }
        }
    }

    private mutating func readSize(isReduced: Bool) throws(BitReader.Invalid) {
        let (across, down) = try (bits.bits(4) + 1, bits.bits(4) + 1)
        size = try HEIFImage.Size(width: bits.bits(across) + 1, height: bits.bits(down) + 1)
        if !isReduced, try bits.flag() { try bits.skip(7) }
    }

    private mutating func skipTools(isReduced: Bool) throws(BitReader.Invalid) {
        try bits.skip(3)
        if !isReduced {
            try bits.skip(4)
            let hasOrder = try bits.flag()
            if hasOrder { try bits.skip(2) }
            let screenContent = try bits.flag() ? 2 : bits.bits(1)
            if screenContent > 0, try !bits.flag() { try bits.skip(1) }
            if hasOrder { try bits.skip(3) }
        }
        try bits.skip(3)
    }

    /// color_config (section 5.5.2).
    private mutating func readColor(_ profile: Int) throws(BitReader.Invalid) {
        let isDeep = try bits.flag()
        if profile == 2, isDeep { try bits.skip(1) }
        let isGray = try profile == 1 ? false : bits.flag()
        if try bits.flag() {
            color.primaries = try bits.bits(8)
            color.curve = try bits.bits(8)
            color.matrix = try bits.bits(8)
        }
        let isRGB = !isGray && color.primaries == 1 && color.curve == 13 && color.matrix == 0
        color.isFullRange = try isRGB ? true : bits.flag()
    }
}

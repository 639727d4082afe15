/// What the properties of one picture say (ISO/IEC 23008-12 section 6.5).
struct HEIFProperties {
    /// As it is coded.
    private(set) var width = 0
    private(set) var height = 0
    /// What is shown of it.
    private(set) var shown = PixelRectangle(x: 0, y: 0, width: 0, height: 0)
    private(set) var orientation = Orientation.up
    /// It has a crop, or a rotation or mirroring.
    private(set) var isCropped = false
    private(set) var isTurned = false
    /// The channels and the bits of each, if they are stated.
    private(set) var channels: Int?
    private(set) var depth: Int?
    /// The profile, and the numbers of a standard, if there are any.
    private(set) var profile: EmbeddedProfile?
    private(set) var color: HEIFColor?
    /// How the decoder is set up (hvcC, av1C).
    private(set) var configuration: HEIFBoxes.Box?
    /// Whether an auxiliary picture is an alpha plane.
    private(set) var isAlpha = false

    /// `size`: as it is coded; nil: as its properties state. `derived`: properties of pictures that are made of this one by turning
    /// and cropping it alone, one after the other. Transformations apply in their order; EXIF's orientation, which encoders
    /// leave as it was, does not count.
    init(
        _ boxes: [HEIFBoxes.Box], derived: [[HEIFBoxes.Box]] = [], size: HEIFImage.Size? = nil,
        bytes: UnsafeRawBufferPointer
    ) throws(ImageError) {
        let stated = try Self.size(boxes, bytes: bytes)
        if let size = size ?? stated {
            width = size.width
            height = size.height
        }
        shown = PixelRectangle(x: 0, y: 0, width: width, height: height)
        for box in boxes { take(box, payload: ByteReader(bytes: bytes, range: box.payload)) }
        for step in derived {
            // The colours of the last picture that states some count.
            if step.contains(where: { $0.has("colr") }) {
                profile = nil
                color = nil
            }
            for box in step { take(box, payload: ByteReader(bytes: bytes, range: box.payload)) }
        }
    }

    /// Some writers state the size of HEVC before the decoder takes its window, and crop that.
    mutating func show(_ bitstream: HEIFBitstream) {
        let canvas = HEIFImage.Size(width: width, height: height)
        guard let window = bitstream.window, bitstream.canvas == canvas, bitstream.size != canvas else { return }
        let (right, lower) = (
            min(shown.x + shown.width, window.x + window.width), min(shown.y + shown.height, window.y + window.height)
        )
        let (left, upper) = (max(shown.x, window.x), max(shown.y, window.y))
        guard left < right, upper < lower else { return }
        shown = PixelRectangle(x: left - window.x, y: upper - window.y, width: right - left, height: lower - upper)
        width = window.width
        height = window.height
    }

    /// As it is coded, or nil: it is not stated.
    static func size(
        _ boxes: [HEIFBoxes.Box], bytes: UnsafeRawBufferPointer
    ) throws(ImageError) -> HEIFImage.Size? {
        guard let box = boxes.last(where: { $0.has("ispe") }) else { return nil }
        var reader = ByteReader(bytes: bytes, range: box.payload)
        guard reader.fullBox() != nil, let width = reader.bigEndian32(), let height = reader.bigEndian32() else {
            throw .corrupt("a size of \(box.payload.count) bytes")
        }
        return HEIFImage.Size(width: width, height: height)
    }

    private mutating func take(_ box: HEIFBoxes.Box, payload: ByteReader) {
        var reader = payload
        if box.has("irot"), let angle = reader.byte() {
            isTurned = true
            orientation = orientation.followed(by: [.up, .left, .down, .right][angle & 3])
        } else if box.has("imir"), let axis = reader.byte() {
            isTurned = true
            orientation = orientation.followed(by: axis & 1 == 0 ? .downMirrored : .upMirrored)
        } else if box.has("clap") {
            crop(&reader)
        } else if box.has("pixi"), channels == nil, reader.fullBox() != nil {
            channels = reader.byte()
            depth = reader.byte()
        } else if box.has("colr") {
            takeColor(&reader)
        } else if box.has("hvcC") || box.has("av1C") {
            configuration = configuration ?? box
        } else if box.has("auxC"), reader.fullBox() != nil {
            let name = UnsafeRawBufferPointer(rebasing: reader.bytes[reader.offset...].prefix { $0 != 0 })
            isAlpha = Self.alpha.contains { name.count == $0.utf8.count && name.has($0) }
        }
    }

    private static let alpha = [
        "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:avc:2015:auxid:1",
    ]

    /// The first of each kind counts. A profile comes before numbers of a standard (ISO/IEC 23000-22 section 7.3.6.4), which
    /// say then how the values are coded.
    private mutating func takeColor(_ reader: inout ByteReader) {
        guard let type = reader.bigEndian32() else { return }
        if type == HEIFBoxes.code("prof") || type == HEIFBoxes.code("rICC") {
            // The first alone: a hostile file names a long one many times.
            if case .icc = profile { return }
            profile = ICCProfile.embedded(UnsafeRawBufferPointer(rebasing: reader.bytes[reader.offset...]))
        } else if type == HEIFBoxes.code("nclx"), color == nil {
            color = HEIFColor(&reader)
        }
    }

    /// The clean aperture, in the picture as turned so far (ISO/IEC 14496-12 section 12.1.4), without fractions of pixels.
    /// Browsers do not count one that is invalid, or lies beyond the picture.
    private mutating func crop(_ reader: inout ByteReader) {
        let numbers = (0..<8).compactMap { _ in reader.bigEndian32() }
        guard numbers.count == 8, stride(from: 1, to: 8, by: 2).allSatisfy({ numbers[$0] > 0 }) else { return }
        let size = orientation.transposes ? (shown.height, shown.width) : (shown.width, shown.height)
        guard let across = Self.part(of: size.0, extent: numbers[0...1], offset: numbers[4...5]),
            let down = Self.part(of: size.1, extent: numbers[2...3], offset: numbers[6...7])
        else { return }
        let seen = PixelRectangle(x: across.start, y: down.start, width: across.count, height: down.count)
        let stored = orientation.stored(seen, in: (shown.width, shown.height))
        isCropped = true
        shown = PixelRectangle(
            x: shown.x + stored.x, y: shown.y + stored.y, width: stored.width, height: stored.height)
    }

    /// `extent`, `offset`: fractions; the offset is the signed distance of the centres.
    private static func part(
        of length: Int, extent: ArraySlice<Int>, offset: ArraySlice<Int>
    ) -> (start: Int, count: Int)? {
        guard let over = extent.first, let under = extent.last, let shift = offset.first, let unit = offset.last else {
            return nil
        }
        let count = Double(over) / Double(under)
        let centre = Double(Int32(truncatingIfNeeded: shift)) / Double(unit) + Double(length - 1) / 2
        let start = (centre - (count - 1) / 2).rounded()
        guard count >= 1, start >= 0, start + count.rounded(.down) <= Double(length) else { return nil }
        return (Int(start), Int(count))
    }
}

/// The limits of one photo. Checked on the header, before anything large is allocated.
package struct Limits: Equatable, Sendable {
    /// Pixels per side; a JPEG header can express at most 65,535.
    package var maxSide = 65_500
    /// Pixels of the whole picture.
    package var maxPixels = 200_000_000
    /// Bytes in memory at the peak of one decode, as `ImageHeader.decodeMemory` estimates them.
    package var maxMemory = 512_000_000
    /// Scans of one JPEG.
    package var maxScans = 1_000
    /// 8 x 8 blocks visited in all scans of one JPEG: ends a scan bomb within 2 s without a clock, so that the outcome
    /// does not depend on the machine. A 170 MP photo with ten scans visits 40 million. A visit by the arithmetic
    /// decoder counts as three.
    package var maxBlockVisits = 60_000_000
    /// Bytes one compressed ancillary PNG chunk may unpack to.
    package var maxChunk = 4_000_000
    /// The size in bytes from which a JPEG is read by `ScaledCoefficients` if possible: for smaller ones, filling its
    /// tables costs more than it saves. The picture differs as described there.
    package var scaledFrom = 8 << 10
    /// The size in bytes from which a JPEG is not read by `ScaledCoefficients`: the keys of avatars say nothing about it,
    /// so that changing it would change the bytes of an avatar under its old key.
    package static let scaledBelow = 6 << 20

    /// The size in bytes from which a JPEG is read in several lanes at 1/8. The picture is the same. A size above those of
    /// all files turns lanes off.
    package var lanesFrom = 128 << 10
    /// Bytes between the begins of two lanes, or a few times as many.
    package var laneSpacing = 8 << 10
    /// Bytes of an average block from which it is read in lanes: for less, one walk is as fast.
    package var laneBlockBytes = 6
    /// The size in bytes from which the samples of read coefficients are made by `cjpeg_decode` itself, not by libjpeg. The picture
    /// is the same.
    package var samplesFrom = 0

    package init() {}

    /// Throws if the header alone shows that the picture must not be decoded.
    func check(_ header: ImageHeader) throws(ImageError) {
        let (width, height) = (header.width, header.height)
        guard width > 0, height > 0 else { throw .corrupt("width or height is zero") }
        guard width <= maxSide, height <= maxSide else {
            throw .tooLarge("\(width) x \(height) pixels, a side may have \(maxSide)")
        }
        guard width * height <= maxPixels else {
            throw .tooLarge("\(width) x \(height) pixels, more than \(maxPixels / 1_000_000) megapixels")
        }
        guard let heif = header.heif else { return }
        // What is decoded may be larger than what is shown.
        let alpha = heif.alpha?.picture
        for (width, height) in [
            (heif.width, heif.height), (heif.tile?.width ?? 0, heif.tile?.height ?? 0),
            (alpha?.width ?? 0, alpha?.height ?? 0),
        ] {
            guard width <= maxSide, height <= maxSide, width * height <= maxPixels else {
                throw .tooLarge("\(width) x \(height) pixels before they are cropped")
            }
        }
    }

    /// Throws if decoding according to `plan` would need more than `maxMemory` bytes.
    func check(_ plan: DecodePlan, of header: ImageHeader) throws(ImageError) {
        let needed = header.decodeMemory(plan, budget: maxMemory)
        guard needed <= maxMemory else { throw .overMemory(needed: needed, limit: maxMemory) }
    }
}

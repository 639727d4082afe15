/// A photo as an address book stores it: a JPEG or a PNG, upright, in sRGB, within bounds, and without what cameras and programs
/// write beside the picture: places, devices, thumbnails, comments.
package struct StorablePhoto: Equatable, Sendable {
    /// What a book takes.
    package struct Bounds: Equatable, Sendable {
        /// Pixels of the longer side.
        package var maxSide: Int
        /// Bytes of the file.
        package var maxBytes: Int

        /// What `maxSide` may be.
        package static let sides = 1...8_192
        /// What `maxBytes` may be.
        package static let sizes = 1...(32 << 20)

        /// What every program takes that reads address books.
        package static let usual = Bounds(maxSide: 720, maxBytes: 100_000)

        package init(maxSide: Int, maxBytes: Int) {
            self.maxSide = maxSide
            self.maxBytes = maxBytes
        }
    }

    /// Why a file is not stored without being drawn again.
    package enum Obstacle: Error, Equatable, Sendable, CustomStringConvertible {
        case unreadable(ImageError)
        /// Its name, as people write it.
        case format(String)
        case side(width: Int, height: Int, limit: Int)
        /// Without its metadata.
        case bytes(Int, limit: Int)
        /// Programs that do not read EXIF would show it turned.
        case turned
        /// Programs that do not read profiles would show other colours.
        case colors(String)
        case animated
        case damaged(String)

        package var description: String {
            switch self {
            case .unreadable(let error): error.description
            case .format(let name): "is \(name), and only JPEG and PNG are stored"
            case .side(let width, let height, let limit): "has \(width) x \(height) pixels; a side may have \(limit)"
            case .bytes(let count, let limit): "has \(count) bytes without its metadata; the limit is \(limit)"
            case .turned: "is stored turned, by its EXIF orientation"
            case .colors(let what): "is not in sRGB: \(what)"
            case .animated: "is an animation"
            case .damaged(let what): "is damaged: \(what)"
            }
        }
    }

    package let bytes: [UInt8]
    /// The whole file's, with its format and size.
    package let geometry: PhotoGeometry
    /// Bytes of metadata that were left out; 0 of a photo that was drawn again.
    package let removed: Int
    /// Its pixels are not those of the file that it was made from.
    package let isDrawn: Bool

    /// Copies a file without its metadata, and nothing else: no pixel is decoded. Throws if that is not enough. The codes of a
    /// JPEG are followed, and the data of a PNG are unpacked, to leave out what stands behind them.
    package init(plain file: UnsafeRawBufferPointer, within bounds: Bounds) throws(Obstacle) {
        let header: ImageHeader
        do { header = try ImageHeader(probing: file) } catch { throw .unreadable(error) }
        geometry = header.geometry
        let (width, height) = geometry.orientedSize
        guard header.format == .jpeg || header.format == .png else { throw .format(header.format.name) }
        guard max(width, height) <= bounds.maxSide else {
            throw .side(width: width, height: height, limit: bounds.maxSide)
        }
        guard header.orientation == .up else { throw .turned }
        bytes = header.format == .jpeg ? try Self.jpeg(file, header: header) : try Self.png(file, header: header)
        guard bytes.count <= bounds.maxBytes else { throw .bytes(bytes.count, limit: bounds.maxBytes) }
        removed = file.count - bytes.count
        isDrawn = false
    }

    /// What a `PhotoFitter` gave. Throws if it is more than a picture within the bounds.
    package init(drawn bytes: [UInt8], within bounds: Bounds) throws(Obstacle) {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(Obstacle) in try StorablePhoto(plain: bytes, within: bounds) }
        }
        let photo = try result.get()
        guard photo.removed == 0 else { throw .damaged("there is more than a picture") }
        self.bytes = bytes
        geometry = photo.geometry
        removed = 0
        isDrawn = true
    }

    private static func jpeg(_ file: UnsafeRawBufferPointer, header: ImageHeader) throws(Obstacle) -> [UInt8] {
        guard header.sampling.count == 1 || header.sampling.count == 3 else { throw .colors("CMYK") }
        if header.isArithmetic { throw .format("JPEG with arithmetic coding") }
        if case .icc(let profile) = header.profile, !SRGBProfile.isNamed(in: profile) { throw .colors("a profile") }
        guard let bytes = JPEGSegments.withoutMetadata(file) else {
            throw .damaged("the JPEG has no end, is damaged, or is no ordinary one")
        }
        return bytes
    }

    private static func png(_ file: UnsafeRawBufferPointer, header: ImageHeader) throws(Obstacle) -> [UInt8] {
        if header.isCgBI { throw .format("Apple's variant of PNG") }
        guard header.png.end == .whole else { throw .damaged("the PNG has no end") }
        var chunks = PNGChunks(file)
        var bytes = Array(file[..<8])
        // Bytes of the stream behind the chunks so far; nil before the header.
        var stream: Int?
        while let chunk = chunks.next() {
            guard chunk.isIntact else { throw .damaged("a chunk of the PNG has another checksum") }
            switch chunk.type {
            case PNGChunk.animationControl: throw .animated
            case PNGChunk.codedColors, PNGChunk.gamma, PNGChunk.chromaticities, PNGChunk.profile:
                if header.png.colors?.profile == EmbeddedProfile.none { break }
                try checkColors(chunk)
            default: break
            }
            if chunk.type == PNGChunk.imageHeader {
                // Each takes as long as the picture.
                if stream != nil { throw .damaged("the PNG has two headers") }
                guard let found = PNGStream(file, header: chunk.payload) else {
                    throw .damaged("the PNG's picture is not whole")
                }
                stream = found.count
            }
            var data = Array(chunk.payload)
            if chunk.type == PNGChunk.imageData {
                data = Array(data.prefix(stream ?? 0))
                stream = (stream ?? 0) - data.count
                if data.isEmpty { continue }
            }
            if PNGChunk.isPicture(chunk.type) { bytes += PNGChunk.bytes(type: chunk.type, data: data) }
            if chunk.type == PNGChunk.imageEnd { break }
        }
        return bytes
    }

    /// Throws for colours that are not those of sRGB.
    private static func checkColors(_ chunk: PNGChunks.Chunk) throws(Obstacle) {
        switch chunk.type {
        // The profile is compressed, and its name is what its writer chose.
        case PNGChunk.profile: throw .colors("a profile")
        case PNGChunk.codedColors: throw .colors("cICP")
        case PNGChunk.gamma:
            var reader = ByteReader(chunk.payload)
            guard let gamma = reader.bigEndian32(), abs(gamma - 45_455) <= 500 else { throw .colors("gAMA") }
        case PNGChunk.chromaticities:
            var reader = ByteReader(chunk.payload)
            for number in [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000] {
                guard let found = reader.bigEndian32(), abs(found - number) <= 100 else { throw .colors("cHRM") }
            }
        default: break
        }
    }
}

/// The profile that states what no profile means, too.
private enum SRGBProfile {
    /// Whether its description (ICC.1:2022 section 9.2.41) is that of the profile of IEC 61966-2-1, in ASCII or UTF-16.
    static func isNamed(in profile: [UInt8]) -> Bool {
        let name = Array("sRGB IEC61966-2.1\0".utf8)
        let wide = Array(name.dropLast().flatMap { [0, $0] as [UInt8] })
        return profile.firstRange(of: name) != nil || profile.firstRange(of: wide) != nil
    }
}

extension PNGChunk {
    static let gamma: UInt32 = 0x6741_4D41
    static let chromaticities: UInt32 = 0x6348_524D
    static let profile: UInt32 = 0x6943_4350
    private static let significantBits: UInt32 = 0x7342_4954
    private static let background: UInt32 = 0x624B_4744

    /// The chunk decides what is shown. All others are metadata: texts, times, EXIF, and what programs add.
    fileprivate static func isPicture(_ type: UInt32) -> Bool {
        switch type {
        case imageHeader, palette, imageData, imageEnd, transparency, standardColors, significantBits, background: true
        // Critical chunks have a capital letter first (PNG third edition 5.4).
        default: type & 0x2000_0000 == 0
        }
    }
}

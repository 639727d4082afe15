/// Reads the header of a HEIC or AVIF file: the size, the transformations, the colours, the transparency and the thumbnail of
/// its primary picture. libheif has no part in it.
struct HEIFHeader {
    private let items: HEIFItems
    private var pictures: HEIFPictures
    private let sources: HEIFPictures.Sources

    /// More are no photo's: a depth map, a matte for hair, a gain map...
    private static let mostRelated = 32

    static func read(_ bytes: UnsafeRawBufferPointer) throws(ImageError) -> ImageHeader {
        var reader = try HEIFHeader(items: HEIFItems(bytes))
        return try reader.header()
    }

    private init(items: HEIFItems) throws(ImageError) {
        self.items = items
        pictures = HEIFPictures(items: items)
        sources = try pictures.sources(of: items.primary)
    }

    private mutating func header() throws(ImageError) -> ImageHeader {
        let format = try format()
        let (auxiliaries, thumbnails) = (related(items.auxiliaries), related(items.thumbnails))
        try pictures.loadProperties(of: sources.all.union(auxiliaries + thumbnails))
        try pictures.loadPlaces(of: sources.pictures)
        let primary = try pictures.description(sources)
        if case .highDynamicRange(let name) = primary.transfer {
            throw .unsupported("\(format.name) image with high dynamic range (\(name))")
        }
        let properties = primary.properties
        guard properties.width > 0, properties.height > 0 else { throw .corrupt("width or height is zero, or missing") }
        var header = ImageHeader(format: format, width: properties.shown.width, height: properties.shown.height)
        header.orientation = properties.orientation
        header.isGray = primary.isGray
        header.profile = primary.profile ?? .none
        var image = HEIFImage(picture: try pictures.picture(primary))
        image.x = properties.shown.x
        image.y = properties.shown.y
        image.isDeep = primary.isDeep
        image.tile = primary.tile.map { HEIFImage.Size(width: $0.width, height: $0.height) }
        try check(image.tile, of: image.picture)
        image.alpha = try alpha(auxiliaries, of: primary)
        // From a thumbnail the photo would be drawn without its transparency.
        if !image.hasAlpha { image.thumbnail = thumbnail(thumbnails, of: primary) }
        header.heif = image
        return header
    }

    /// Items that refer to the picture.
    private func related(_ references: [Int: [Int]]) -> [Int] {
        Array(sources.names.flatMap { references[$0] ?? [] }.prefix(Self.mostRelated))
    }

    /// Tiles cover the picture, and no more than one beyond its right and lower edges.
    private func check(_ tile: HEIFImage.Size?, of picture: HEIFPicture) throws(ImageError) {
        guard let tile else { return }
        let (side, count) = (1 << 20, picture.cells.count)
        guard 1..<side ~= tile.width, 1..<side ~= tile.height, picture.width < side, picture.height < side,
            count * tile.width * tile.height <= (picture.width + tile.width) * (picture.height + tile.height)
        else { throw .corrupt("tiles that are larger than the picture") }
    }

    private func format() throws(ImageError) -> ImageHeader.Format {
        guard let type = items.types[sources.coded] else { throw .corrupt("no primary item") }
        let isGrid = type == HEIFBoxes.code("grid")
        guard !isGrid || !sources.tiles.isEmpty else { throw .corrupt("a grid without tiles") }
        let coded = isGrid ? sources.tiles.first.flatMap { items.types[$0] } ?? 0 : type
        if coded == HEIFBoxes.code("hvc1") { return .heic }
        if coded == HEIFBoxes.code("av01") { return .avif }
        let name = String(decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: coded >> $0) }, as: UTF8.self)
        throw .unsupported("HEIF image coded as \(name.allSatisfy(\.isASCII) ? name.filter { $0 > " " } : "unknown")")
    }

    /// The largest that shows the same in the same orientation, if it is one picture: a part of the pictures that libheif
    /// would decode is not needed then.
    private mutating func thumbnail(
        _ candidates: [Int], of primary: HEIFPictures.Description
    ) -> HEIFImage.Thumbnail? {
        let coded = candidates.filter {
            [HEIFBoxes.code("hvc1"), HEIFBoxes.code("av01")].contains(items.types[$0] ?? 0)
        }
        guard (try? pictures.loadPlaces(of: Set(coded))) != nil else { return nil }
        var best: HEIFImage.Thumbnail?
        for item in coded {
            guard let sources = try? pictures.sources(of: item), let small = try? pictures.description(sources),
                small.transfer == .display, small.properties.orientation == primary.properties.orientation,
                small.properties.shows(primary.properties), small.properties.width > best?.width ?? 0,
                let picture = try? pictures.picture(small)
            else { continue }
            best = HEIFImage.Thumbnail(picture: picture, profile: small.statedProfile)
        }
        return best
    }

    private mutating func alpha(
        _ candidates: [Int], of primary: HEIFPictures.Description
    ) throws(ImageError) -> HEIFImage.Alpha? {
        guard let item = candidates.first(where: pictures.isAlpha) else { return try alphaOfTiles(primary) }
        let alpha = try pictures.sources(of: item)
        let names = Set(sources.names.flatMap { items.multipliers[$0] ?? [] })
        return try self.alpha(alpha, of: primary, isMultiplied: !names.isDisjoint(with: alpha.names))
    }

    /// Some writers give each tile of a grid its own (ISO/IEC 23008-12 section 6.6.2.3).
    private mutating func alphaOfTiles(_ primary: HEIFPictures.Description) throws(ImageError) -> HEIFImage.Alpha? {
        let candidates = sources.tiles.map { items.auxiliaries[$0] ?? [] }
        guard let first = candidates.first, !first.isEmpty, !candidates.contains([]) else { return nil }
        try pictures.loadProperties(of: Set(candidates.joined()))
        let tiles = candidates.compactMap { $0.first(where: pictures.isAlpha) }
        guard tiles.count == sources.tiles.count else { return nil }
        var alpha = sources
        alpha.tiles = tiles
        let names = items.multipliers[sources.tiles[0]] ?? []
        return try self.alpha(alpha, of: primary, isMultiplied: names.contains(tiles[0]))
    }

    private mutating func alpha(
        _ alpha: HEIFPictures.Sources, of primary: HEIFPictures.Description, isMultiplied: Bool
    ) throws(ImageError) -> HEIFImage.Alpha {
        try pictures.loadProperties(of: alpha.all)
        try pictures.loadPlaces(of: alpha.pictures)
        let colors = primary.properties
        // Some writers state no size of it.
        let description = try pictures.description(
            alpha, size: HEIFImage.Size(width: colors.width, height: colors.height))
        let own = description.properties
        guard 1..<1 << 20 ~= own.width, 1..<1 << 20 ~= own.height else {
            throw .corrupt("a transparency without a size")
        }
        let picture = try pictures.picture(description)
        try check(description.tile.map { HEIFImage.Size(width: $0.width, height: $0.height) }, of: picture)
        // Transformations that one of the two lacks are those of the other: old encoders state them for the colours alone.
        let turned = own.isTurned ? own.orientation : colors.orientation
        return HEIFImage.Alpha(
            picture: picture, shown: own.isCropped ? own.shown : own.part(like: colors),
            turn: turned.followed(by: colors.orientation.inverted), isMultiplied: isMultiplied)
    }
}

extension HEIFProperties {
    /// Whether `other` is the part that this one shows, smaller: to a pixel of this one, or to 1 %. Sony's cameras
    /// scale 7,008 x 4,672 pixels to 1,616 x 1,080 and 320 x 212, whose sides are rounded to what they code; a cut has
    /// other proportions than that.
    fileprivate func shows(_ other: HEIFProperties) -> Bool {
        let (a, b) = (shown, other.shown)
        guard a.width > 0, a.height > 0, max(a.width, a.height) < 1 << 12, a.width <= b.width, a.height <= b.height,
            (a.width, a.height) == (width, height)
        else { return false }
        let difference = abs(a.width * b.height - a.height * b.width)
        return difference <= max(b.width, b.height, a.width * b.height / 100)
    }

    /// The part of this picture that corresponds to what is shown of `other`.
    fileprivate func part(like other: HEIFProperties) -> PixelRectangle {
        func range(from start: Int, count: Int, of whole: Int, in size: Int) -> (start: Int, count: Int) {
            let scale = Double(size) / Double(whole)
            let first = min(Int((Double(start) * scale).rounded()), size - 1)
            return (first, min(max(Int((Double(count) * scale).rounded()), 1), size - first))
        }
        let across = range(from: other.shown.x, count: other.shown.width, of: other.width, in: width)
        let down = range(from: other.shown.y, count: other.shown.height, of: other.height, in: height)
        return PixelRectangle(x: across.start, y: down.start, width: across.count, height: down.count)
    }
}

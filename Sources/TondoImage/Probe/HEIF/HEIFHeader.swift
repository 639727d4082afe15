/// Reads the header of a HEIC or AVIF file: the size, the transformations, the colours and the thumbnail of its primary
/// picture. No picture data are read, and libheif has no part in it.
enum HEIFHeader {
    static func read(_ bytes: UnsafeRawBufferPointer) throws(ImageError) -> ImageHeader {
        let items = try HEIFItems(bytes)
        let related = Related(items)
        let boxes = try items.properties(of: related.all)
        let format = try format(items, related)
        let primary = try HEIFProperties(boxes[items.primary] ?? [], bytes)
        if case .highDynamicRange(let name) = primary.transfer {
            throw .unsupported("\(format.name) image with high dynamic range (\(name))")
        }
        guard primary.width > 0, primary.height > 0 else { throw .corrupt("width or height is zero, or missing") }
        var header = ImageHeader(format: format, width: primary.shown.width, height: primary.shown.height)
        (header.orientation, header.isGray) = (primary.orientation, primary.isGray)
        // The profile of a grid may be the one of its tiles.
        let tile = try related.tiles.first.map { id throws(ImageError) in try HEIFProperties(boxes[id] ?? [], bytes) }
        header.profile = primary.profile ?? tile?.profile ?? .none
        var image = HEIFImage(item: items.primary, width: primary.width, height: primary.height)
        (image.x, image.y) = (primary.shown.x, primary.shown.y)
        let alpha = related.alpha(boxes, bytes)
        (image.hasAlpha, image.isDeep) = (alpha != nil, primary.isDeep || tile?.isDeep == true)
        image.tile = tile.map { HEIFImage.Size($0.width, $0.height) }
        if let size = image.tile { try check(size, count: related.tiles.count, of: image) }
        image.end = try items.end(of: related.pictures(with: alpha))
        image.thumbnail = try thumbnail(items, related, boxes, primary, hasAlpha: image.hasAlpha)
        header.heif = image
        return header
    }

    /// Tiles cover the picture, and no more than one beyond its right and lower edges.
    private static func check(_ tile: HEIFImage.Size, count: Int, of image: HEIFImage) throws(ImageError) {
        let side = 1 << 20
        guard 1..<side ~= tile.width, 1..<side ~= tile.height, image.width < side, image.height < side,
            count * tile.width * tile.height <= (image.width + tile.width) * (image.height + tile.height)
        else { throw .corrupt("tiles that are larger than the picture") }
    }

    private static func format(_ items: HEIFItems, _ related: Related) throws(ImageError) -> ImageHeader.Format {
        guard let type = items.types[items.primary] else { throw .corrupt("no primary item") }
        let isGrid = type == HEIFBoxes.code("grid")
        guard !isGrid || !related.tiles.isEmpty else { throw .corrupt("a grid without tiles") }
        let coded = isGrid ? related.tiles.first.flatMap { items.types[$0] } ?? 0 : type
        if coded == HEIFBoxes.code("hvc1") { return .heic }
        if coded == HEIFBoxes.code("av01") { return .avif }
        let name = String(decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: coded >> $0) }, as: UTF8.self)
        throw .unsupported("HEIF image coded as \(name.allSatisfy(\.isASCII) ? name.filter { $0 > " " } : "unknown")")
    }

    /// The largest that shows the same in the same orientation, if it is one picture: a part of the pictures that libheif
    /// would decode is not needed then.
    private static func thumbnail(
        _ items: HEIFItems, _ related: Related, _ boxes: [Int: [HEIFBoxes.Box]], _ primary: HEIFProperties,
        hasAlpha: Bool
    ) throws(ImageError) -> HEIFImage.Thumbnail? {
        if hasAlpha { return nil }
        var best: HEIFImage.Thumbnail?
        for id in related.thumbnails {
            let type = items.types[id]
            guard type == HEIFBoxes.code("hvc1") || type == HEIFBoxes.code("av01"),
                let small = try? HEIFProperties(boxes[id] ?? [], items.bytes), small.transfer == .display,
                small.orientation == primary.orientation, small.shows(primary),
                small.width > best?.width ?? 0, let end = try? items.end(of: [id])
            else { continue }
            best = HEIFImage.Thumbnail(item: id, width: small.width, height: small.height, end: end)
            best?.profile = small.profile
        }
        return best
    }

    /// The items that belong to the primary one.
    private struct Related {
        let primary: Int
        private(set) var tiles: [Int] = []
        private(set) var thumbnails: [Int] = []
        private var auxiliary: [Int] = []
        private var auxiliaryTiles: [Int: [Int]] = [:]
        /// More are no photo's: a depth map, a matte for hair, a gain map...
        private static let most = 32

        init(_ items: HEIFItems) {
            primary = items.primary
            for reference in items.references {
                if reference.type == HEIFBoxes.code("dimg") {
                    if reference.from == primary {
                        tiles = reference.to
                    } else {
                        auxiliaryTiles[reference.from] = reference.to
                    }
                }
                guard reference.to.contains(primary) else { continue }
                if reference.type == HEIFBoxes.code("thmb") { thumbnails.append(reference.from) }
                if reference.type == HEIFBoxes.code("auxl") { auxiliary.append(reference.from) }
            }
            (thumbnails, auxiliary) = (Array(thumbnails.prefix(Self.most)), Array(auxiliary.prefix(Self.most)))
        }

        /// Those whose properties matter.
        var all: Set<Int> { Set([primary] + tiles.prefix(1) + thumbnails + auxiliary) }

        func alpha(_ boxes: [Int: [HEIFBoxes.Box]], _ bytes: UnsafeRawBufferPointer) -> Int? {
            auxiliary.first { (try? HEIFProperties(boxes[$0] ?? [], bytes))?.isAlpha == true }
        }

        /// All that libheif reads of the primary picture.
        func pictures(with alpha: Int?) -> Set<Int> {
            Set([primary] + tiles + (alpha.map { [$0] + (auxiliaryTiles[$0] ?? []) } ?? []))
        }
    }
}

extension HEIFProperties {
    /// The same part as `other`, smaller: to a pixel of this one, or to 1 %. Sony's cameras scale 7,008 x 4,672 pixels to
    /// 1,616 x 1,080 and 320 x 212, whose sides are rounded to what they code; a cut has other proportions than that.
    fileprivate func shows(_ other: HEIFProperties) -> Bool {
        let (a, b) = (shown, other.shown)
        guard a.width > 0, a.height > 0, max(a.width, a.height) < 1 << 12, a.width <= b.width, a.height <= b.height,
            (a.width, a.height) == (width, height)
        else { return false }
        let difference = abs(a.width * b.height - a.height * b.width)
        return difference <= max(b.width, b.height, a.width * b.height / 100)
    }
}

/// What of a HEIC or AVIF file is decoded.
package struct HEIFImage: Equatable, Sendable {
    package struct Size: Equatable, Sendable {
        package var width: Int
        package var height: Int

        init(_ width: Int, _ height: Int) { (self.width, self.height) = (width, height) }
    }

    package struct Thumbnail: Equatable, Sendable {
        /// The number of the item in the file.
        package var item: Int
        package var width: Int
        package var height: Int
        /// Of its data in the file.
        package var end: Int
        /// Nil: the one of the picture.
        package var profile: EmbeddedProfile?
    }

    /// The number of the primary item in the file.
    package var item: Int
    /// As coded, in pixels.
    package var width: Int
    package var height: Int
    /// Where the shown part begins, whose size is the one of the header.
    package var x = 0
    package var y = 0
    package var hasAlpha = false
    /// Its values have more than 8 bits.
    package var isDeep = false
    /// The size of each tile; nil: it is not divided.
    package var tile: Size?
    /// Of its data in the file.
    package var end = 0
    package var thumbnail: Thumbnail?

    init(item: Int, width: Int, height: Int) { (self.item, self.width, self.height) = (item, width, height) }
}

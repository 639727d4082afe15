/// The pictures that the tables of a file describe. Tables are read for the items that are asked for alone.
struct HEIFPictures {
    let items: HEIFItems
    private var boxes: [Int: [HEIFBoxes.Box]] = [:]
    private var locations: [Int: [Range<Int>]] = [:]

    /// A picture, and what it is made of.
    struct Sources {
        /// A coded item, or a grid.
        var coded: Int
        /// The tiles of a grid, row by row.
        var tiles: [Int] = []
        /// What is made of it by turning and cropping it alone (iden), one after the other.
        var derived: [Int] = []
        /// All that show it: references to any of them count.
        var names: [Int]

        /// Those with data.
        var pictures: Set<Int> { Set([coded] + tiles) }
        var all: Set<Int> { pictures.union(derived) }
    }

    init(items: HEIFItems) { self.items = items }

    /// Pictures derived from pictures that are derived...
    private static let deepest = 8

    /// A picture with high dynamic range (tmap) is made of the one that is shown on other displays, and of a gain map.
    func sources(of item: Int) throws(ImageError) -> Sources {
        var sources = Sources(coded: item, names: [item])
        while let type = items.types[sources.coded], let source = items.sources[sources.coded]?.first {
            let isToneMapped = type == HEIFBoxes.code("tmap")
            guard isToneMapped || type == HEIFBoxes.code("iden") else { break }
            if !isToneMapped { sources.derived.insert(sources.coded, at: 0) }
            sources.coded = source
            sources.names.append(source)
            guard sources.names.count <= Self.deepest else { throw .corrupt("pictures that are derived too often") }
        }
        if items.types[sources.coded] == HEIFBoxes.code("grid") { sources.tiles = items.sources[sources.coded] ?? [] }
        return sources
    }

    mutating func loadProperties(of items: Set<Int>) throws(ImageError) {
        let found = try self.items.properties(of: items.subtracting(boxes.keys))
        boxes.merge(found) { known, _ in known }
    }

    mutating func loadPlaces(of items: Set<Int>) throws(ImageError) {
        let found = try self.items.locations(of: items.subtracting(locations.keys))
        locations.merge(found) { known, _ in known }
    }

    /// Whether an auxiliary picture is an alpha plane. A damaged one is none.
    func isAlpha(_ item: Int) -> Bool {
        (try? HEIFProperties(
            boxes[item] ?? [], size: HEIFImage.Size(width: 1 << 30, height: 1 << 30), bytes: items.bytes))?
            .isAlpha == true
    }

    /// `size`: of a picture that states none. Its properties must be loaded, and its location if the coded data are to count.
    func description(_ sources: Sources, size: HEIFImage.Size? = nil) throws(ImageError) -> Description {
        let bytes = items.bytes
        let own = boxes[sources.coded] ?? []
        let (first, firstBoxes) = (sources.tiles.first, sources.tiles.first.flatMap { boxes[$0] } ?? [])
        let configuration = (own + firstBoxes).first { $0.has("hvcC") || $0.has("av1C") }
        let bitstream = configuration.flatMap {
            HEIFBitstream(configuration: $0, data: locations[first ?? sources.coded]?.first, in: bytes)
        }
        let stated = try HEIFProperties.size(own, bytes: bytes) ?? size.map { bitstream?.size ?? $0 }
        // Some cameras of Sony state the size after the rotation, and libheif 1.8 the odd one that it crops the coded one to.
        let turned = stated.map { HEIFImage.Size(width: $0.height, height: $0.width) }
        let even = stated.map { HEIFImage.Size(width: $0.width + $0.width & 1, height: $0.height + $0.height & 1) }
        let isCoded = bitstream?.size == turned || bitstream?.size == even && own.contains { $0.has("clap") }
        let coded = first == nil && stated != nil && isCoded ? bitstream?.size : stated
        var properties = try HEIFProperties(
            own, derived: sources.derived.map { boxes[$0] ?? [] }, size: coded, bytes: bytes)
        if first == nil, let bitstream { properties.show(bitstream) }
        return Description(
            sources: sources, properties: properties,
            tile: first == nil ? nil : try HEIFProperties(firstBoxes, bytes: bytes),
            bitstream: bitstream)
    }

    struct Description {
        let sources: Sources
        let properties: HEIFProperties
        /// The first tile of a grid.
        let tile: HEIFProperties?
        let bitstream: HEIFBitstream?

        /// The numbers of a property. Those of a grid may be the ones of its tiles.
        var color: HEIFColor? { properties.color ?? tile?.color }

        /// What properties say comes before the coded data.
        var profile: EmbeddedProfile? { statedProfile ?? bitstream?.color?.profile }

        var statedProfile: EmbeddedProfile? {
            properties.profile ?? properties.color?.profile ?? tile?.profile ?? tile?.color?.profile
        }

        var transfer: HEIFColor.Transfer {
            if let color { return color.transfer }
            // A profile describes what the values are meant for.
            let isDescribed = properties.profile != nil || tile?.profile != nil
            return isDescribed ? .display : bitstream?.color?.transfer ?? .display
        }

        /// One channel, and no profile of three, which gray values fit as well.
        var isGray: Bool {
            if case .icc(let profile) = profile, profile.dropFirst(16).starts(with: "RGB ".utf8) { return false }
            return properties.channels.map { $0 == 1 } ?? bitstream?.isGray ?? false
        }

        /// More than 8 bits for a value.
        var isDeep: Bool { [properties.depth, tile?.depth, bitstream?.depth].contains { $0 ?? 0 > 8 } }
    }

    /// What the decoder needs. Properties and locations must be loaded.
    func picture(_ description: Description) throws(ImageError) -> HEIFPicture {
        let (sources, properties) = (description.sources, description.properties)
        var first = try item(sources.coded, size: HEIFImage.Size(width: properties.width, height: properties.height))
        first.color = description.color
        // Some writers set up the decoder for the first tiles alone.
        let shared = description.tile?.configuration
        var picture = HEIFPicture(items: [first])
        var known: [Int: Int] = [:]
        for tile in sources.tiles {
            if known[tile] == nil {
                known[tile] = picture.items.count
                var item = try self.item(tile, type: items.types[sources.tiles[0]], size: nil)
                let hasOwn = item.properties.contains { $0.has("hvcC") || $0.has("av1C") }
                if let shared, !hasOwn { item.properties.append(shared) }
                item.color = description.color
                picture.items.append(item)
            }
            picture.cells.append(known[tile] ?? 0)
        }
        picture.isGray = description.bitstream?.isGray ?? false
        picture.isFullRange = (description.color ?? description.bitstream?.color)?.isFullRange ?? true
        return picture
    }

    /// A tile has its own transformations; those of the picture are left to the renderer. `type`: the one it must have.
    private func item(_ id: Int, type: Int? = nil, size: HEIFImage.Size?) throws(ImageError) -> HEIFPicture.Item {
        guard let own = items.types[id], own == type ?? own else {
            throw .corrupt("a grid with a tile of another kind")
        }
        guard let data = locations[id] else { throw .corrupt("a picture without data") }
        let boxes = boxes[id] ?? []
        let stated = try HEIFProperties.size(boxes, bytes: items.bytes)
        guard let size = size ?? stated else { throw .corrupt("a tile without a size") }
        let kept = boxes.filter { box in
            box.has("hvcC") || box.has("av1C") || type != nil && Self.transformations.contains(box.type)
        }
        guard kept.count <= Self.deepest else { throw .corrupt("a tile with too many properties") }
        return HEIFPicture.Item(type: own, size: size, properties: kept, data: data)
    }

    private static let transformations = [
        HEIFBoxes.code("irot"), HEIFBoxes.code("imir"), HEIFBoxes.code("clap"),
    ]
}

/// The items of a HEIF file: pictures and what belongs to them (ISO/IEC 23008-12, ISO/IEC 14496-12 section 8.11). Every
/// table is read once, from its start to its end, and only what concerns the picture is kept.
struct HEIFItems {
    /// A longer header is no photo's: tables of a large grid have some kilobytes, a profile has four megabytes at most.
    private static let longest = 8_000_000
    /// Items, properties, or references of one item. A picture of 100 megapixels has 400 tiles.
    static let most = 20_000

    let bytes: UnsafeRawBufferPointer
    private(set) var primary = 0
    /// Types by item.
    private(set) var types: [Int: Int] = [:]
    /// Boxes of ipco; the first has the number 1.
    private(set) var properties: [HEIFBoxes.Box] = []
    /// What each derived picture is derived from (dimg).
    private(set) var sources: [Int: [Int]] = [:]
    /// The thumbnails of a picture (thmb).
    private(set) var thumbnails: [Int: [Int]] = [:]
    /// Depth maps, mattes, gain maps... of a picture, and its transparency (auxl).
    private(set) var auxiliaries: [Int: [Int]] = [:]
    /// The transparency by which the colours of a picture are multiplied (prem).
    private(set) var multipliers: [Int: [Int]] = [:]
    private var referenceCount = 0
    private var ipma: [Range<Int>] = []
    private var iloc: Range<Int>?
    private var idat: Range<Int>?

    init(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
        self.bytes = bytes
        let meta = try Self.meta(bytes)
        guard meta.count <= Self.longest else { throw .tooLarge("a header of \(meta.count / 1_000_000) MB") }
        guard meta.count >= 4 else { throw .corrupt("a meta box of \(meta.count) bytes") }
        var (pitm, iinf, iref) = (Range<Int>?.none, Range<Int>?.none, [Range<Int>]())
        var boxes = HEIFBoxes(bytes: bytes, range: meta.dropFirst(4))
        while let box = boxes.next() {
            if box.has("pitm"), pitm == nil { pitm = box.payload }
            if box.has("iinf"), iinf == nil { iinf = box.payload }
            // One is allowed, but writers have made more.
            if box.has("iref") { iref.append(box.payload) }
            if box.has("iloc"), iloc == nil { iloc = box.payload }
            if box.has("idat"), idat == nil { idat = box.payload }
            if box.has("iprp"), properties.isEmpty { try readProperties(box.payload) }
        }
        guard boxes.end == .none else { throw .corrupt("a box that is larger than the one around it") }
        guard let pitm, let id = primaryItem(pitm) else { throw .corrupt("no primary item") }
        primary = id
        guard let iinf else { throw .corrupt("no items") }
        try readTypes(iinf)
        for range in iref { try readReferences(range) }
    }

    private static func meta(_ bytes: UnsafeRawBufferPointer) throws(ImageError) -> Range<Int> {
        var (boxes, count, isSequence) = (HEIFBoxes(bytes: bytes, range: 0..<bytes.count), 0, false)
        while let box = boxes.next() {
            if box.has("meta") { return box.payload }
            if box.has("moov") { isSequence = true }
            count += 1
            guard count < most else { throw .corrupt("too many boxes") }
        }
        if boxes.end == .range { throw .truncated("the file ends in its header, or before it") }
        if boxes.end == .none, isSequence { throw .unsupported("HEIF image sequence without a still picture") }
        if boxes.end == .none, count == 1 { throw .truncated("the file ends after its first box") }
        throw .corrupt("no meta box")
    }

    private func primaryItem(_ range: Range<Int>) -> Int? {
        var reader = ByteReader(bytes: bytes, range: range)
        guard let (version, _) = reader.fullBox() else { return nil }
        return reader.bigEndian(version == 0 ? 2 : 4)
    }

    private mutating func readTypes(_ range: Range<Int>) throws(ImageError) {
        var reader = ByteReader(bytes: bytes, range: range)
        guard let (version, _) = reader.fullBox(), reader.bigEndian(version == 0 ? 2 : 4) != nil else {
            throw .corrupt("a table of items that ends early")
        }
        var boxes = HEIFBoxes(bytes: bytes, range: range.dropFirst(reader.offset))
        while let box = boxes.next() {
            guard box.has("infe") else { continue }
            var entry = ByteReader(bytes: bytes, range: box.payload)
            // Versions 0 and 1 have no type: such items are no pictures.
            guard let (version, _) = entry.fullBox(), version == 2 || version == 3,
                let id = entry.bigEndian(version == 2 ? 2 : 4), entry.bigEndian(2) != nil,
                let type = entry.bigEndian32()
            else { continue }
            guard types.count < Self.most else { throw .corrupt("more than \(Self.most) items") }
            if types[id] == nil { types[id] = type }
        }
    }

    private mutating func readProperties(_ range: Range<Int>) throws(ImageError) {
        var boxes = HEIFBoxes(bytes: bytes, range: range)
        while let box = boxes.next() {
            if box.has("ipma") { ipma.append(box.payload) }
            guard box.has("ipco"), properties.isEmpty else { continue }
            var inner = HEIFBoxes(bytes: bytes, range: box.payload)
            while let property = inner.next() {
                guard properties.count < Self.most else { throw .corrupt("more than \(Self.most) properties") }
                properties.append(property)
            }
        }
    }

    private mutating func readReferences(_ range: Range<Int>) throws(ImageError) {
        var reader = ByteReader(bytes: bytes, range: range)
        guard let (version, _) = reader.fullBox() else { throw .corrupt("a table of references that ends early") }
        let width = version == 0 ? 2 : 4
        var boxes = HEIFBoxes(bytes: bytes, range: range.dropFirst(4))
        while let box = boxes.next() {
            var entry = ByteReader(bytes: bytes, range: box.payload)
            guard let from = entry.bigEndian(width), let count = entry.bigEndian(2) else { continue }
            referenceCount += count + 1
            guard referenceCount <= 4 * Self.most else { throw .corrupt("too many references") }
            take(box, from: from, to: (0..<count).compactMap { _ in entry.bigEndian(width) })
        }
    }

    /// A reference may name several items (ISO/IEC 14496-12 section 8.11.12), such as the gain map of a picture and of what
    /// both of them make.
    private mutating func take(_ reference: HEIFBoxes.Box, from: Int, to items: [Int]) {
        if reference.has("dimg") { sources[from] = items }
        if reference.has("prem") { multipliers[from, default: []] += items }
        for item in items {
            if reference.has("thmb") { thumbnails[item, default: []].append(from) }
            if reference.has("auxl") { auxiliaries[item, default: []].append(from) }
        }
    }

    /// The properties of these items, in their order.
    func properties(of items: Set<Int>) throws(ImageError) -> [Int: [HEIFBoxes.Box]] {
        var (found, total) = ([Int: [HEIFBoxes.Box]](), 0)
        for range in ipma {
            var reader = ByteReader(bytes: bytes, range: range)
            guard let (version, flags) = reader.fullBox(), let count = reader.bigEndian32() else { continue }
            for _ in 0..<count {
                guard let id = reader.bigEndian(version == 0 ? 2 : 4), let uses = reader.byte(),
                    let indices = reader.slice(uses * (flags & 1 + 1))
                else { throw .corrupt("a table of properties that ends early") }
                guard items.contains(id), found[id] == nil else { continue }
                total += uses
                guard total <= 10 * Self.most else { throw .corrupt("too many properties of items") }
                var list = ByteReader(indices)
                found[id] = (0..<uses).compactMap { _ in
                    let index = flags & 1 == 1 ? list.bigEndian16().map { $0 & 0x7FFF } : list.byte().map { $0 & 0x7F }
                    return index.flatMap { properties.indices.contains($0 - 1) ? properties[$0 - 1] : nil }
                }
            }
        }
        return found
    }

    /// Where the data of these items are, in the file, each in one or more parts. An item without data is left out.
    func locations(of items: Set<Int>) throws(ImageError) -> [Int: [Range<Int>]] {
        guard let iloc else { throw .corrupt("no table of places") }
        guard var table = HEIFLocations(ByteReader(bytes: bytes, range: iloc), file: bytes.count, header: idat) else {
            throw .corrupt("a table of places that ends early")
        }
        var (found, seen) = ([Int: [Range<Int>]](), Set<Int>())
        for _ in 0..<table.count where seen.count < items.count {
            let location = try table.next(keeping: items)
            guard items.contains(location.item), seen.insert(location.item).inserted else { continue }
            if !location.parts.isEmpty { found[location.item] = location.parts }
        }
        return found
    }
}

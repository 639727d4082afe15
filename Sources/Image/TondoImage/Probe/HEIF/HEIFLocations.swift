/// The places of items' data (iloc, ISO/IEC 14496-12 section 8.11.3), one item after the other.
struct HEIFLocations {
    struct Location {
        var item: Int
        /// In the file. Parts that follow each other are one. None: the item is not wanted, or has no data.
        var parts: [Range<Int>] = []
    }

    private var reader: ByteReader
    private let version: Int
    private let widths: (offset: Int, length: Int, base: Int, index: Int)
    private let file: Range<Int>
    private let header: Range<Int>?
    /// Parts that are kept, of all items.
    private var total = 0
    /// Items.
    let count: Int

    /// `file`: its bytes. `header`: where the data in the header are (idat).
    init?(_ table: ByteReader, file: Int, header: Range<Int>?) {
        reader = table
        guard let (version, _) = reader.fullBox(), version <= 2, let sizes = reader.bigEndian16(),
            let count = reader.bigEndian(version == 2 ? 4 : 2)
        else { return nil }
        let parts = [12, 8, 4, 0].map { sizes >> $0 & 0xF }
        guard parts.allSatisfy({ $0 <= 8 }) else { return nil }
        self.version = version
        self.count = count
        self.file = 0..<file
        self.header = header
        widths = (parts[0], parts[1], parts[2], version == 0 ? 0 : parts[3])
    }

    /// Throws also for an offset beyond all files, and for data that are not in this one.
    mutating func next(keeping wanted: Set<Int>) throws(ImageError) -> Location {
        guard let item = reader.bigEndian(version == 2 ? 4 : 2), let method = version > 0 ? reader.bigEndian16() : 0,
            let source = reader.bigEndian16(), let base = reader.bigEndian(widths.base),
            let count = reader.bigEndian16(),
            let extents = reader.slice(count * (widths.index + widths.offset + widths.length))
        else { throw Self.endsEarly }
        guard wanted.contains(item) else { return Location(item: item) }
        total += count
        guard total <= HEIFItems.most else { throw .corrupt("data in too many parts") }
        guard source == 0 else { throw .unsupported("HEIF image with data in another file") }
        var location = Location(item: item)
        let origin = try origin(method & 0xF)
        var list = ByteReader(extents)
        for _ in 0..<count {
            let part = try part(&list, base: base, in: origin, isOnly: count == 1)
            if part.isEmpty { continue }
            if let last = location.parts.last, last.upperBound == part.lowerBound {
                location.parts[location.parts.count - 1] = last.lowerBound..<part.upperBound
            } else {
                location.parts.append(part)
            }
        }
        return location
    }

    private static let endsEarly = ImageError.corrupt("a table of places that ends early")

    /// What offsets are counted in.
    private func origin(_ method: Int) throws(ImageError) -> Range<Int> {
        if method == 0 { return file }
        guard method == 1 else { throw .unsupported("HEIF image with data inside of other items") }
        guard let header else { throw .corrupt("no data in the header") }
        return header
    }

    /// A part beyond the end of the file is kept: the file was cut. The header is whole.
    private func part(
        _ list: inout ByteReader, base: Int, in origin: Range<Int>, isOnly: Bool
    ) throws(ImageError) -> Range<Int> {
        guard list.slice(widths.index) != nil, let offset = list.bigEndian(widths.offset),
            let length = list.bigEndian(widths.length)
        else { throw Self.endsEarly }
        let (start, overflow) = base.addingReportingOverflow(offset)
        // The only part without a length is everything that follows.
        let count = length == 0 && isOnly ? max(origin.count - start, 0) : length
        let (end, further) = start.addingReportingOverflow(count)
        guard !overflow, !further, end < 1 << 62 else { throw Self.endsEarly }
        guard origin == file || end <= origin.count else { throw .corrupt("data beyond the header that holds them") }
        return origin.lowerBound + start..<origin.lowerBound + end
    }
}

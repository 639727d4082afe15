/// The places of items' data (iloc, ISO/IEC 14496-12 section 8.11.3), one item after the other.
struct HEIFPlaces {
    struct Place {
        var item: Int
        /// Of its last extent in the file; 0 if its data are in the header.
        var end: Int
    }

    private var reader: ByteReader
    private let version: Int
    private let widths: (offset: Int, length: Int, base: Int, index: Int)
    /// Items.
    let count: Int

    init?(_ table: ByteReader) {
        reader = table
        guard let (version, _) = reader.fullBox(), version <= 2, let sizes = reader.bigEndian16(),
            let count = reader.bigEndian(version == 2 ? 4 : 2)
        else { return nil }
        let parts = [12, 8, 4, 0].map { sizes >> $0 & 0xF }
        guard parts.allSatisfy({ $0 <= 8 }) else { return nil }
        (self.version, self.count) = (version, count)
        widths = (parts[0], parts[1], parts[2], version == 0 ? 0 : parts[3])
    }

    /// Nil: the table ends early, or an offset is beyond all files.
    mutating func next() -> Place? {
        guard let item = reader.bigEndian(version == 2 ? 4 : 2) else { return nil }
        var isInFile = true
        if version > 0 {
            guard let method = reader.bigEndian16() else { return nil }
            isInFile = method & 0xF == 0
        }
        guard reader.bigEndian16() != nil, let base = reader.bigEndian(widths.base),
            let extents = reader.bigEndian16()
        else { return nil }
        var place = Place(item: item, end: 0)
        for _ in 0..<extents {
            guard reader.slice(widths.index) != nil, let offset = reader.bigEndian(widths.offset),
                let length = reader.bigEndian(widths.length)
            else { return nil }
            let (start, overflow) = base.addingReportingOverflow(offset)
            let (end, further) = start.addingReportingOverflow(length)
            if overflow || further { return nil }
            if isInFile { place.end = max(place.end, end) }
        }
        return place
    }
}

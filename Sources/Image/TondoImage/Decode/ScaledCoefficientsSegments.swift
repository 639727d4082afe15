/// The marker segments of a JPEG up to its only scan (T.81 sections B.1.1.4 and B.2), as far as `ScaledCoefficients`
/// needs them.
struct ScaledCoefficientsSegments {
    /// Bytes up to the entropy-coded data: SOI and all segments, SOS last.
    private(set) var count = 0
    /// The entropy-coded data and everything behind them.
    private(set) var scan = UnsafeRawBufferPointer(start: nil, count: 0)
    private(set) var tables = HuffmanTables()
    /// DC and AC table of each component, as indices of `tables`.
    private(set) var selected: [(dc: Int, ac: Int)] = []
    /// MCUs between restart markers, 0 = none.
    private(set) var restartInterval = 0
    private var hasFrame = false

    /// Nil for anything except the plain order of plain segments.
    init?(bytes: UnsafeRawBufferPointer, header: ImageHeader) {
        var reader = ByteReader(bytes)
        guard reader.bigEndian16() == 0xFFD8 else { return nil }
        while true {
            guard reader.byte() == 0xFF, var marker = reader.byte() else { return nil }
            while marker == 0xFF {
                guard let next = reader.byte() else { return nil }
                marker = next
            }
            guard let segment = reader.markerSegment(), note(segment, of: marker, header: header) else { return nil }
            guard marker == 0xDA else { continue }
            count = reader.offset
            scan = UnsafeRawBufferPointer(rebasing: bytes[reader.offset...])
            return
        }
    }

    /// False: not plain.
    private mutating func note(_ segment: UnsafeRawBufferPointer, of marker: Int, header: ImageHeader) -> Bool {
        switch marker {
        case 0xC0, 0xC1:
            guard !hasFrame, segment.first == 8 else { return false }
            hasFrame = true
            return true
        case 0xC4: return tables.note(segment)
        case 0xDA: return hasFrame && noteScan(segment, header: header)
        // Tables of quantisation, application data, comments: libjpeg reads them from the same header.
        case 0xDB, 0xE0...0xEF, 0xFE: return true
        case 0xDD:
            guard segment.count == 2 else { return false }
            restartInterval = Int(segment[0]) << 8 | Int(segment[1])
            return true
        default: return false
        }
    }

    /// SOS, section B.2.3: all components in the frame's order, all coefficients at once.
    private mutating func noteScan(_ segment: UnsafeRawBufferPointer, header: ImageHeader) -> Bool {
        let count = header.sampling.count
        let identifiers = header.sampling.map(\.identifier)
        guard segment.count == 4 + 2 * count, Int(segment[0]) == count, Set(identifiers).count == count,
            segment[1 + 2 * count] == 0, segment[2 + 2 * count] == 63, segment[3 + 2 * count] == 0
        else { return false }
        for component in 0..<count {
            let slots = Int(segment[2 + 2 * component])
            guard Int(segment[1 + 2 * component]) == identifiers[component], slots & 0xCC == 0 else { return false }
            selected.append((dc: slots >> 4, ac: 4 + (slots & 3)))
        }
        return true
    }
}

/// The Huffman tables that are in effect (T.81 section B.2.4.2).
struct HuffmanTables {
    /// By class x 4 + destination: 16 counts, then the values.
    private(set) var specifications = [UnsafeRawBufferPointer?](repeating: nil, count: 8)

    /// Takes the tables of a DHT segment. False if they are not plain.
    mutating func note(_ segment: UnsafeRawBufferPointer) -> Bool {
        var reader = ByteReader(segment)
        while let slot = reader.byte() {
            let start = reader.offset
            guard slot & 0xEC == 0, let counts = reader.slice(16) else { return false }
            let values = counts.reduce(0) { $0 + Int($1) }
            guard values <= 256, reader.slice(values) != nil else { return false }
            specifications[(slot >> 4) * 4 + (slot & 3)] = UnsafeRawBufferPointer(
                rebasing: segment[start..<reader.offset])
        }
        return true
    }
}

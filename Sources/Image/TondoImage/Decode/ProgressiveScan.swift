/// A scan of a progressive JPEG (T.81 section G.1.2), with what is in effect where it begins.
struct ProgressiveScan {
    /// Indices of its components in the frame header.
    let components: [Int]
    /// DC and AC table of each component, by class x 4 + destination.
    private let selected: [(dc: Int, ac: Int)]
    /// Zigzag positions.
    let band: ClosedRange<Int>
    /// The number of low bits that the coefficients lacked before and lack afterwards. `before`: nil in the first scan of a
    /// position.
    let before: Int?
    let after: Int
    let tables: HuffmanTables
    /// MCUs between restart markers, 0 = none.
    let restartInterval: Int
    /// The entropy-coded data.
    let data: UnsafeRawBufferPointer

    var isDC: Bool { band.lowerBound == 0 }

    /// The tables that its codes need: a refinement of DCs has none.
    var slots: [Int] {
        selected.compactMap { isDC ? (before == nil ? $0.dc : nil) : $0.ac }
    }

    func dcSlot(_ index: Int) -> Int { selected[index].dc }

    /// Nil for an SOS segment that libjpeg would warn of. `segment`: without its length.
    fileprivate init?(
        _ segment: UnsafeRawBufferPointer, of scan: JPEGScans.Scan, tables: HuffmanTables, restartInterval: Int,
        data: UnsafeRawBufferPointer
    ) {
        let count = scan.components.count
        // libjpeg refuses components in another order than the frame's (section B.2.3).
        guard segment.count == 4 + 2 * count, (1...4).contains(count),
            zip(scan.components, scan.components.dropFirst()).allSatisfy(<)
        else { return nil }
        let selected = (0..<count).map { index in
            let slots = Int(segment[2 + 2 * index])
            return (dc: slots >> 4, ac: 4 + (slots & 15))
        }
        guard selected.allSatisfy({ $0.dc < 4 && $0.ac < 8 }) else { return nil }
        let bits = Int(segment[3 + 2 * count])
        let (high, low) = (bits >> 4, bits & 15)
        // DCs come alone, and AC coefficients for one component (section G.1.1.1.1).
        guard low <= 13, high == 0 || high == low + 1, scan.band.lowerBound == 0 ? scan.band == 0...0 : count == 1
        else { return nil }
        components = scan.components
        self.selected = selected
        band = scan.band
        before = high == 0 ? nil : high
        after = low
        self.tables = tables
        self.restartInterval = restartInterval
        self.data = data
    }
}

/// The scans of a progressive JPEG that are needed.
struct ProgressiveScans {
    /// Bytes up to the entropy-coded data of the first scan: SOI and all segments, SOS last.
    private(set) var headerCount = 0
    private(set) var scans: [ProgressiveScan] = []
    private var tables = HuffmanTables()
    private var interval = 0
    private var hasFrame = false

    /// `selection`: of this file. Nil for anything except the plain order of plain segments, or if libjpeg cannot draw the
    /// picture from the header before the first scan, since that has not all components, or is none that it would read.
    init?(bytes: UnsafeRawBufferPointer, header: ImageHeader, selection: ScanSelection) {
        guard let first = selection.scans.first, selection.isNeeded.first == true,
            first.components == Array(header.sampling.indices)
        else { return nil }
        var others = zip(selection.scans, selection.isNeeded).makeIterator()
        var reader = ByteReader(bytes)
        guard reader.bigEndian16() == 0xFFD8 else { return nil }
        while true {
            let start = reader.offset
            guard reader.byte() == 0xFF, let marker = reader.byte() else { return nil }
            if marker == 0xD9 { break }
            guard let segment = reader.markerSegment() else { return nil }
            guard marker == 0xDA else {
                guard note(segment, of: marker) else { return nil }
                continue
            }
            guard let (scan, isNeeded) = others.next(), scan.range.lowerBound == start else { return nil }
            if headerCount == 0 { headerCount = reader.offset }
            guard let data = reader.slice(scan.range.upperBound - reader.offset) else { return nil }
            guard isNeeded else { continue }
            guard let found = ProgressiveScan(segment, of: scan, tables: tables, restartInterval: interval, data: data)
            else { return nil }
            scans.append(found)
        }
        guard others.next() == nil, Self.isComplete(scans, components: header.sampling.count) else { return nil }
    }

    /// False: not plain.
    private mutating func note(_ segment: UnsafeRawBufferPointer, of marker: Int) -> Bool {
        switch marker {
        case 0xC2:
            guard !hasFrame, segment.first == 8 else { return false }
            hasFrame = true
            return true
        case 0xC4: return tables.note(segment)
        // Tables of quantisation: libjpeg reads them from the same header, and judges those behind the first scan, which have no effect.
        case 0xDB: return headerCount == 0
        // Application data and comments.
        case 0xE0...0xEF, 0xFE: return true
        case 0xDD:
            guard segment.count == 2 else { return false }
            interval = Int(segment[0]) << 8 | Int(segment[1])
            return true
        default: return false
        }
    }

    /// Whether each scan refines what the one before it has left: libjpeg warns of others.
    private static func isComplete(_ scans: [ProgressiveScan], components: Int) -> Bool {
        // Low bits that a position lacks; nil: it was in no scan.
        var lacking = [[Int?]](repeating: Array(repeating: nil, count: 64), count: components)
        for scan in scans {
            for component in scan.components {
                if !scan.isDC, lacking[component][0] == nil { return false }
                for position in scan.band {
                    guard lacking[component][position] == scan.before else { return false }
                    lacking[component][position] = scan.after
                }
            }
        }
        return lacking.allSatisfy { $0[0] != nil }
    }
}

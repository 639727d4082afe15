/// Walks the marker segments before the first scan (ITU-T T.81 annex B).
struct JPEGHeader {
    private var reader: ByteReader
    private var frame: ImageHeader?
    /// Where the frame header's height is in the file.
    private var heightOffset = 0
    private var orientation: Orientation?
    private var icc = ICCSegments()

    static func read(_ bytes: UnsafeRawBufferPointer) throws(ImageError) -> ImageHeader {
        var header = JPEGHeader(reader: ByteReader(bytes))
        return try header.walk()
    }

    private init(reader: ByteReader) {
        self.reader = reader
        self.reader.offset = 2
    }

    private enum Marker {
        static let startOfFrames = 0xC0...0xCF
        static let huffmanTable = 0xC4
        static let arithmeticConditioning = 0xCC
        static let reserved = 0xC8
        /// ISO/IEC 14495-1 section C.2.2.
        static let startOfFrameLS = 0xF7
        static let endOfImage = 0xD9
        static let startOfScan = 0xDA
        static let numberOfLines = 0xDC
        static let app1 = 0xE1
        static let app2 = 0xE2
        /// Stand alone, without a length: TEM, RST0...7, SOI.
        static func isBare(_ marker: Int) -> Bool { marker == 0x01 || (0xD0...0xD8).contains(marker) }
    }

    private mutating func walk() throws(ImageError) -> ImageHeader {
        while let marker = reader.nextMarker() {
            if Marker.isBare(marker) { continue }
            if marker == Marker.endOfImage { throw .corrupt("no image before the end marker") }
            guard let segment = reader.markerSegment() else { break }
            if marker == Marker.startOfScan { return try finish(scan: segment) }
            try note(segment, of: marker)
        }
        throw .truncated("the file ends in the JPEG header")
    }

    /// Scanners that do not know how long a page is state its height behind the scan. Entropy-coded data have markers of
    /// restarts only.
    private mutating func readLateHeight(_ header: inout ImageHeader) {
        while let marker = reader.nextMarker() {
            if Marker.isBare(marker) { continue }
            guard marker == Marker.numberOfLines, reader.bigEndian16() == 4, let height = reader.bigEndian16() else {
                return
            }
            header.height = height
            header.lateHeight = heightOffset
            return
        }
    }

    private mutating func note(_ segment: UnsafeRawBufferPointer, of marker: Int) throws(ImageError) {
        switch marker {
        case Marker.huffmanTable, Marker.arithmeticConditioning, Marker.reserved: break
        case Marker.startOfFrames:
            guard frame == nil else { throw .corrupt("two frame headers") }
            frame = try JPEGFrame.read(segment, marker: marker)
            // Behind the marker's length and the precision.
            heightOffset = reader.offset - segment.count + 1
        case Marker.startOfFrameLS: throw .unsupported("JPEG-LS image")
        case Marker.app1 where segment.has("Exif\0"):
            if orientation == nil { orientation = EXIF.orientation(segment) }
        case Marker.app2 where segment.has("ICC_PROFILE\0"):
            icc.add(UnsafeRawBufferPointer(rebasing: segment[12...]))
        default: break
        }
    }

    private mutating func finish(scan: UnsafeRawBufferPointer) throws(ImageError) -> ImageHeader {
        guard var header = frame else { throw .corrupt("a scan before the frame header") }
        if header.height == 0 { readLateHeight(&header) }
        header.orientation = orientation ?? .up
        header.profile = icc.profile
        let components = scan.first.map(Int.init) ?? 0
        header.isBuffered = header.isBuffered || components < header.sampling.count
        return header
    }
}

extension ByteReader {
    /// What stands behind a marker and its length, which counts itself. One of 0 or 1 is that of an empty segment, as decoders take
    /// it.
    mutating func markerSegment() -> UnsafeRawBufferPointer? {
        bigEndian16().flatMap { slice(max($0 - 2, 0)) }
    }

    /// The next marker code of a JPEG; bytes between segments and fill bytes are skipped, as decoders do.
    mutating func nextMarker() -> Int? {
        while let byte = byte() {
            guard byte == 0xFF else { continue }
            var code = 0xFF
            while code == 0xFF {
                guard let next = self.byte() else { return nil }
                code = next
            }
            if code != 0 { return code }
        }
        return nil
    }
}

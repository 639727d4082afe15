/// The frame header (SOFn, ITU-T T.81 section B.2.2): size, components, and coding process.
enum JPEGFrame {
    static func read(_ segment: UnsafeRawBufferPointer, marker: Int) throws(ImageError) -> ImageHeader {
        var reader = ByteReader(segment)
        guard let precision = reader.byte(), let height = reader.bigEndian16(), let width = reader.bigEndian16(),
            let components = reader.byte()
        else { throw .corrupt("a frame header of \(segment.count) bytes") }
        try requireProcess(marker, precision: precision)
        guard [1, 3, 4].contains(components) else { throw .unsupported("JPEG of \(components) components") }
        var header = ImageHeader(format: .jpeg, width: width, height: height)
        header.isProgressive = marker == 0xC2 || marker == 0xCA
        header.isArithmetic = marker == 0xC9 || marker == 0xCA
        header.isBuffered = header.isProgressive
        header.isGray = components == 1
        header.sampling = try readSampling(&reader, count: components)
        return header
    }

    private static func requireProcess(_ marker: Int, precision: Int) throws(ImageError) {
        switch marker {
        case 0xC0, 0xC1, 0xC2, 0xC9, 0xCA: break
        case 0xC3, 0xCB: throw .unsupported("lossless JPEG")
        default: throw .unsupported("hierarchical JPEG")
        }
        guard precision == 8 else { throw .unsupported("\(precision)-bit JPEG") }
    }

    private static func readSampling(
        _ reader: inout ByteReader, count: Int
    ) throws(ImageError) -> [ImageHeader.Sampling] {
        var sampling: [ImageHeader.Sampling] = []
        for _ in 0..<count {
            guard let identifier = reader.byte(), let factors = reader.byte(), reader.byte() != nil else {
                throw .corrupt("the frame header ends early")
            }
            let (horizontal, vertical) = (factors >> 4, factors & 15)
            guard (1...4).contains(horizontal), (1...4).contains(vertical) else {
                throw .corrupt("sampling factors \(horizontal) x \(vertical)")
            }
            sampling.append(.init(identifier: identifier, horizontal: horizontal, vertical: vertical))
        }
        return sampling
    }
}

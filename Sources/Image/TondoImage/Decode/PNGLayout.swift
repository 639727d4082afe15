/// The layout of a row of 8-bit samples: the colour types of PNG, third edition, section 6.1, by their numbers.
enum PNGLayout: UInt8 {
    case gray = 0
    case rgb = 2
    case palette = 3
    case grayAlpha = 4
    case rgba = 6

    /// Bytes per pixel.
    var step: Int {
        switch self {
        case .gray, .palette: 1
        case .grayAlpha: 2
        case .rgb: 3
        case .rgba: 4
        }
    }

    /// Converts `count` pixels to R, G, B, A. `palette`: 256 colours of 4 bytes.
    /// unsafe: the caller guarantees `count` pixels in both and one readable byte behind `source`.
    func expand(
        _ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, count: Int,
        palette: UnsafePointer<UInt8>
    ) {
        let (pixels, colors) = (UnsafeMutableRawPointer(target), UnsafeRawPointer(palette))
        func write(_ pixel: Int, value: UInt32) {
            pixels.storeBytes(of: value.littleEndian, toByteOffset: pixel &* 4, as: UInt32.self)
        }
        func read(from bytes: UnsafeRawPointer, at offset: Int) -> UInt32 {
            UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }
        switch self {
        case .rgba: target.update(from: source, count: count &* 4)
        case .rgb: for i in 0..<count { write(i, value: read(from: source, at: i &* 3) | 0xFF00_0000) }
        case .gray: for i in 0..<count { write(i, value: UInt32(source[i]) &* 0x1_0101 | 0xFF00_0000) }
        case .grayAlpha:
            for i in 0..<count {
                write(i, value: UInt32(source[i &* 2]) &* 0x1_0101 | UInt32(source[i &* 2 &+ 1]) &<< 24)
            }
        case .palette: for i in 0..<count { write(i, value: read(from: colors, at: Int(source[i]) &* 4)) }
        }
    }
}

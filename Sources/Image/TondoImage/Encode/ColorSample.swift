/// Detects pictures with few colours, such as icons and pixel art, by a sample.
///
/// Their rows are often best left unfiltered (PNG third edition 12.7, on indexed-colour images): few colours have many
/// different residuals.
enum ColorSample {
    /// Pixels in the sample.
    private static let size = 1024
    /// The largest number that counts as few; a photograph's sample has hundreds.
    private static let fewest = 280

    /// Whether the sample of the `count` pixels at `pixels` has few colours.
    static func hasFewColors(in pixels: UnsafePointer<UInt8>, count: Int) -> Bool {
        var colors = 0
        // Odd, or it would sample the same few columns of a picture whose width is a power of 2.
        let step = max(1, count / size | 1)
        return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: size) { seen in
            seen.initialize(repeating: 0)
            var at = 0
            while at < count, colors <= fewest {
                // Pixel `at` of `count`; a hash of ten bits indexes the table.
                let pixel = UnsafeRawPointer(pixels).loadUnaligned(fromByteOffset: 4 * at, as: UInt32.self)
                let color = pixel.littleEndian
                let slot = Int((color &* 0x9E37_79B1) &>> 22)
                if seen[slot] != color {
                    seen[slot] = color
                    colors += 1
                }
                at += step
            }
            return colors <= fewest
        }
    }
}

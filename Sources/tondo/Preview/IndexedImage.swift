import TondoImage

/// A square image with at most 256 colours, in which each pixel is drawn or not.
struct IndexedImage {
    /// Pixels a side.
    let side: Int
    let palette: [PercentColor]
    /// Indexes into the palette, row by row; nil for pixels that are not drawn.
    private(set) var indices: [UInt8?]

    /// Pixels that are more than half transparent are left out; the other translucent ones are blended with a mid-gray,
    /// which suits dark and light terminals equally. The colour error is diffused to pixels not drawn yet (Floyd and
    /// Steinberg 1976).
    init(_ canvas: Canvas, colors: Int = 256) {
        side = canvas.side
        var pixels = (0..<side * side).map { Self.shown(canvas.bytes[($0 * 4)..<($0 * 4 + 4)]) }
        var counts: [RGB: Int] = [:]
        for case let pixel? in pixels { counts[pixel, default: 0] += 1 }
        palette = MedianCut.palette(counts, colors: min(max(colors, 1), 256))
        indices = [UInt8?](repeating: nil, count: side * side)
        let table = palette.map(\.rgb)
        for y in 0..<side {
            for x in 0..<side {
                guard let pixel = pixels[y * side + x] else { continue }
                let index = Self.nearest(pixel, in: table)
                indices[y * side + x] = UInt8(index)
                spread(pixel - table[index], from: (x, y), over: &pixels)
            }
        }
    }

    private static func shown(_ bytes: ArraySlice<UInt8>) -> RGB? {
        let values = bytes.map(Int.init)
        let alpha = values[3]
        guard alpha >= 128 else { return nil }
        func blended(_ value: Int) -> Int { (value * alpha + 128 * (255 - alpha) + 127) / 255 }
        return RGB(red: blended(values[0]), green: blended(values[1]), blue: blended(values[2]))
    }

    private func spread(_ lack: RGB, from place: (x: Int, y: Int), over pixels: inout [RGB?]) {
        if lack == RGB(red: 0, green: 0, blue: 0) { return }
        for (dx, dy, share) in [(1, 0, 7), (-1, 1, 3), (0, 1, 5), (1, 1, 1)] {
            let (x, y) = (place.x + dx, place.y + dy)
            guard x >= 0, x < side, y < side, let pixel = pixels[y * side + x] else { continue }
            pixels[y * side + x] = pixel.adding(lack, sixteenths: share)
        }
    }

    private static func nearest(_ pixel: RGB, in table: [RGB]) -> Int {
        var best = (index: 0, distance: Int.max)
        for (index, color) in table.enumerated() {
            let distance = pixel.distance(to: color)
            if distance < best.distance { best = (index, distance) }
        }
        return best.index
    }
}

/// Pictures made by rule, for the tests.
enum TestImage: String, CaseIterable, Sendable {
    case random, flat, gradient, transparent, photograph, stripes, tiles, circle

    /// `height` rows of `width` RGBA8 pixels.
    func pixels(width: Int, height: Int) -> [UInt8] {
        var noise = Noise()
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 4)
        for y in 0..<height {
            for x in 0..<width { pixels += pixel(x, y, width, height, &noise) }
        }
        return pixels
    }

    private func pixel(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ noise: inout Noise) -> [UInt8] {
        switch self {
        case .random: (0..<4).map { _ in noise.byte() }
        case .flat: [10, 132, 255, 255]
        case .gradient: [UInt8(x * 255 / width), UInt8(y * 255 / height), UInt8((x + y) & 255), 255]
        case .transparent: [0, 0, 0, 0]
        case .photograph: Self.smooth(x, y, &noise) + [255]
        case .stripes: x / 3 % 2 == 0 ? [255, 0, 0, 255] : [0, 0, 255, 128]
        case .tiles: [UInt8(x * 37 & 255), UInt8(y % 16 * 11), UInt8(x % 16 * y % 16), 255]
        case .circle: Self.circle(x, y, width, height, &noise)
        }
    }

    private static func smooth(_ x: Int, _ y: Int, _ noise: inout Noise) -> [UInt8] {
        let grain = Int(noise.byte() & 7)
        return [(x * 2 + y) / 3 + grain, (x + y * 2) / 4 + grain, 90 + x / 5 + Int(noise.byte() & 3)].map {
            UInt8($0 & 255)
        }
    }

    private static func circle(
        _ x: Int, _ y: Int, _ width: Int, _ height: Int, _ noise: inout Noise
    ) -> [UInt8] {
        let (across, down) = (2 * x + 1 - width, 2 * y + 1 - height)
        let inside = across * across + down * down <= width * width
        return inside ? smooth(x, y, &noise) + [255] : [0, 0, 0, 0]
    }
}

/// The parts of an eight by eight head. For each row the left half is given; the right half mirrors it. 0 is
/// background, 1 skin, 2 hair, 3 eyes and mouth.
enum PixelFace {
    static let skins = [
        PixelColor(red: 244, green: 208, blue: 177), PixelColor(red: 224, green: 172, blue: 125),
        PixelColor(red: 172, green: 116, blue: 76), PixelColor(red: 110, green: 72, blue: 50),
    ]
    private static let hairs = [[0x0222, 0x2222], [0x0022, 0x0222], [0x2000, 0x2221], [0x0202, 0x2222]]
    private static let eyes = [[0x1111, 0x1131], [0x1331, 0x1131], [0x1131, 0x1331], [0x1311, 0x1131]]
    private static let mouths = [[0x1111, 0x1133], [0x1131, 0x1113], [0x1113, 0x1131], [0x1133, 0x1133]]

    /// Any numbers: each selects one of four.
    static func rows(hair: Int, eyes: Int, mouth: Int) -> [[Int]] {
        let halves = hairs[hair % 4] + self.eyes[eyes % 4] + [0x1111] + mouths[mouth % 4] + [0x0111]
        return halves.map { half in
            let left = [half >> 12 & 15, half >> 8 & 15, half >> 4 & 15, half & 15]
            return left + left.reversed()
        }
    }
}

/// An opaque colour.
struct PixelColor: Equatable {
    let red, green, blue: UInt8
}

extension PixelColor {
    /// A colour of medium lightness from a hash, so that it contrasts with the light background.
    init(hue hash: AddressHash) {
        let bytes = hash.bytes.suffix(3)
        // Integer hue of six sextants of 256 steps; the strongest channel is 190, the weakest 60.
        let hue = bytes.reduce(0) { ($0 << 8 | Int($1)) } % 1_536
        let (sextant, step) = (hue / 256, hue % 256)
        let (up, down) = (UInt8(60 + 130 * step / 255), UInt8(190 - 130 * step / 255))
        switch sextant {
        case 0: self.init(red: 190, green: up, blue: 60)
        case 1: self.init(red: down, green: 190, blue: 60)
        case 2: self.init(red: 60, green: 190, blue: up)
        case 3: self.init(red: 60, green: down, blue: 190)
        case 4: self.init(red: up, green: 60, blue: 190)
        default: self.init(red: 190, green: 60, blue: down)
        }
    }
}

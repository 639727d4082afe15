/// An opaque colour.
struct PixelColor: Equatable {
    let red, green, blue: UInt8

    init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }

    /// A colour of medium lightness from a hash, so that it contrasts with the light background.
    init(hue hash: AddressHash) {
        let bytes = hash.bytes.suffix(3)
        // Integer hue of six sextants of 256 steps; the strongest channel is 190, the weakest 60.
        let hue = bytes.reduce(0) { ($0 << 8 | Int($1)) } % 1_536
        let (sextant, step) = (hue / 256, hue % 256)
        let (up, down) = (UInt8(60 + 130 * step / 255), UInt8(190 - 130 * step / 255))
        switch sextant {
        case 0: self.init(190, up, 60)
        case 1: self.init(down, 190, 60)
        case 2: self.init(60, 190, up)
        case 3: self.init(60, down, 190)
        case 4: self.init(up, 60, 190)
        default: self.init(190, 60, down)
        }
    }
}

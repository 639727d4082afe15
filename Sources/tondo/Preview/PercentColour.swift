/// Red, green and blue in percent, as sixel names colours.
struct PercentColour: Hashable {
    var red: Int
    var green: Int
    var blue: Int

    init(_ colour: RGB) {
        func percent(_ value: Int) -> Int { (value * 100 + 127) / 255 }
        (red, green, blue) = (percent(colour.red), percent(colour.green), percent(colour.blue))
    }

    /// The colour a terminal shows.
    var rgb: RGB {
        func byte(_ value: Int) -> Int { (value * 255 + 50) / 100 }
        return RGB(red: byte(red), green: byte(green), blue: byte(blue))
    }
}

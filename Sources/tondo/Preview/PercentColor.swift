/// Red, green and blue in percent, as sixel names colours.
struct PercentColor: Hashable {
    var red: Int
    var green: Int
    var blue: Int

    init(_ color: RGB) {
        func percent(_ value: Int) -> Int { (value * 100 + 127) / 255 }
        (red, green, blue) = (percent(color.red), percent(color.green), percent(color.blue))
    }

    /// The colour a terminal shows.
    var rgb: RGB {
        func byte(_ value: Int) -> Int { (value * 255 + 50) / 100 }
        return RGB(red: byte(red), green: byte(green), blue: byte(blue))
    }
}

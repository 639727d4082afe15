/// Red, green and blue, 0...255, or a difference of such colours.
struct RGB: Hashable {
    var red: Int
    var green: Int
    var blue: Int

    enum Channel: CaseIterable { case red, green, blue }

    subscript(channel: Channel) -> Int {
        switch channel {
        case .red: red
        case .green: green
        case .blue: blue
        }
    }

    static func - (left: RGB, right: RGB) -> RGB {
        RGB(red: left.red - right.red, green: left.green - right.green, blue: left.blue - right.blue)
    }

    /// Adds a part of `other`, limited to 0...255.
    func adding(_ other: RGB, sixteenths: Int) -> RGB {
        func sum(_ a: Int, _ b: Int) -> Int { min(max(a + (b * sixteenths) / 16, 0), 255) }
        return RGB(red: sum(red, other.red), green: sum(green, other.green), blue: sum(blue, other.blue))
    }

    /// Squared.
    func distance(to other: RGB) -> Int {
        let lack = self - other
        return lack.red * lack.red + lack.green * lack.green + lack.blue * lack.blue
    }
}

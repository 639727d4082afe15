import TondoTestSupport

/// What is no face.
struct DrawnThing {
    private let canvas: DrawnCanvas
    private var pen: DrawnPen
    private let ink: Ink
    private let other: Ink
    private var random: SplitMix64

    /// Chooses a place, a size and colours.
    init(_ canvas: DrawnCanvas, random: SplitMix64) {
        var random = random
        let (width, height) = (Float(canvas.width), Float(canvas.height))
        let centre = (x: width * random.pick(0.35...0.65), y: height * random.pick(0.4...0.6))
        self.canvas = canvas
        pen = DrawnPen(canvas, origin: centre, unit: min(width, height) * random.pick(0.18...0.34))
        ink = Ink(random.pick([0xD8232F, 0x3B6FB5, 0xE2A52F, 0x3E8A5C, 0x7A5F9D, 0x2C2A33, 0xF4F1EA]))
        other = Ink(random.pick([0xFFFFFF, 0x1E2430, 0xF6D04D, 0xB5D8E8]))
        self.random = random
    }

    mutating func draw(_ kind: DrawnScene.Kind) {
        switch kind {
        case .pet: random.pick([true, false]) ? drawCat() : drawDog()
        case .object:
            pen.tilt = random.pick(-8...8)
            random.pick([drawCup, drawCar, drawHouse, drawFlower, drawClock])()
        case .pattern: drawPattern()
        case .logo: drawLogo()
        default: if random.pick([true, false]) { drawHouse() }
        }
    }

    // MARK: Pets

    private mutating func drawCat() {
        let fur = Ink(random.pick([0x8A7A6B, 0xC98A4B, 0x3A3533, 0xD9D2C8]))
        let dark = fur.times(0.55)
        pen.ellipse(at: (0, 2), (0.95, 1.4), fur.times(0.9), shade: 0.2)
        for side: Float in [-1, 1] {
            pen.polygon([(side * 0.2, -0.75), (side * 0.85, -1.35), (side * 0.9, -0.2)], fur, shade: 0.2)
            pen.polygon([(side * 0.4, -0.75), (side * 0.78, -1.15), (side * 0.8, -0.45)], Ink(0xC98F88), alpha: 0.8)
        }
        pen.ellipse(at: (0, 0), (1, 0.82), fur, shade: 0.2)
        for side: Float in [-1, 1] {
            pen.ellipse(at: (side * 0.42, -0.08), (0.24, 0.19), Ink(random.pick([0xB8C34A, 0xD9A93A])))
            pen.ellipse(at: (side * 0.42, -0.08), (0.06, 0.18), Ink(0x0D0909))
            pen.ellipse(at: (side * 0.17, 0.43), (0.24, 0.18), fur.times(1.25), shade: 0.1)
            for y: Float in [0.35, 0.45, 0.55] {
                pen.stroke(
                    [(side * 0.3, 0.43), (side * 0.8, y), (side * 1.3, y + 0.05)], width: 0.025, Ink(0xF4F0EA),
                    alpha: 0.8)
            }
            pen.stroke([(0, 0.36), (side * 0.1, 0.5), (side * 0.25, 0.5)], width: 0.03, dark)
        }
        pen.polygon([(-0.12, 0.22), (0.12, 0.22), (0, 0.36)], Ink(0xB5706C))
        for x: Float in [-0.22, 0, 0.22] { pen.stroke([(x * 0.8, -0.8), (x, -0.6), (x, -0.42)], width: 0.08, dark) }
    }

    /// From its side.
    private mutating func drawDog() {
        let fur = Ink(random.pick([0xA9784A, 0xE0C79C, 0x4A3A30, 0xC9C2B8]))
        let dark = fur.times(0.6)
        for x: Float in [-1, -0.7, 0.55, 0.85] {
            pen.box(x: (x - 0.12)...(x + 0.12), y: 0.5...1.6, fur.times(0.85), shade: 0.2)
        }
        pen.stroke([(-1, 0.1), (-1.5, -0.2), (-1.7, -0.7)], width: 0.2, fur)
        pen.ellipse(at: (-0.1, 0.35), (1.15, 0.5), fur, shade: 0.3)
        pen.blob([(0.5, 0.4), (0.75, -0.6), (1.3, -0.4), (1.05, 0.5)], fur, shade: 0.2)
        pen.ellipse(at: (1.15, -0.55), (0.42, 0.36), fur, shade: 0.2)
        pen.blob([(1.2, -0.7), (1.85, -0.52), (1.85, -0.3), (1.2, -0.25)], fur, shade: 0.2)
        pen.ellipse(at: (1.86, -0.48), (0.1, 0.09), Ink(0x1A1412))
        pen.ellipse(at: (1.3, -0.65), (0.07, 0.07), Ink(0x1A1210))
        pen.stroke([(1.35, -0.32), (1.6, -0.3), (1.82, -0.34)], width: 0.04, dark)
        pen.blob([(0.95, -0.85), (1.1, -0.5), (0.9, -0.05), (0.75, -0.4)], dark, shade: 0.2)
    }

    // MARK: Objects

    private func drawCup() {
        pen.ellipse(at: (0.9, 0.1), (0.45, 0.45), ink)
        pen.ellipse(at: (0.9, 0.1), (0.28, 0.28), other)
        pen.blob([(0, -0.9), (0.8, -0.9), (0.8, 0.5), (0.6, 0.95), (0, 1)], isHalf: true, ink, shade: 0.3)
        pen.ellipse(at: (0, -0.85), (0.82, 0.2), ink.times(1.2))
        pen.ellipse(at: (0, -0.83), (0.7, 0.14), Ink(0x4A2E20))
    }

    private func drawCar() {
        pen.blob([(-1, 0), (-0.6, -0.75), (0.5, -0.75), (1, 0)], ink.times(0.9), shade: 0.2)
        pen.polygon([(-0.75, -0.05), (-0.5, -0.55), (0.4, -0.55), (0.75, -0.05)], Ink(0xB5D8E8), shade: 0.3)
        pen.blob([(-1.5, 0), (1.3, 0), (1.6, 0.3), (1.5, 0.65), (-1.5, 0.65)], ink, shade: 0.2)
        for x: Float in [-0.85, 0.85] {
            pen.ellipse(at: (x, 0.65), (0.36, 0.36), Ink(0x1E1C1C))
            pen.ellipse(at: (x, 0.65), (0.17, 0.17), other.times(0.8))
        }
    }

    private func drawHouse() {
        pen.box(x: -0.9...0.9, y: -0.2...1.2, other.times(0.9), shade: 0.2)
        pen.polygon([(-1.15, -0.2), (0, -1.1), (1.15, -0.2)], ink, shade: 0.2)
        for x: Float in [-0.5, 0.5] { pen.box(x: (x - 0.2)...(x + 0.2), y: 0.05...0.45, Ink(0x4A6F8A), shade: 0.3) }
        pen.box(x: -0.18...0.18, y: 0.6...1.2, Ink(0x6B4A30))
    }

    private func drawFlower() {
        pen.stroke([(0, 0), (0.1, 1.2), (0, 2.6)], width: 0.16, Ink(0x3E6B3A))
        for step in 0..<8 {
            var petal = pen
            petal.tilt = Float(step) * 45
            petal.ellipse(at: (0, -0.7), (0.28, 0.5), ink, shade: 0.2)
        }
        pen.ellipse(at: (0, 0), (0.4, 0.4), Ink(0xE7B64A), shade: 0.3)
    }

    private func drawClock() {
        pen.ellipse(at: (0, 0), (1.1, 1.1), ink, shade: 0.3)
        pen.ellipse(at: (0, 0), (0.95, 0.95), Ink(0xF4F0EA))
        for step in 0..<12 {
            var mark = pen
            mark.tilt = Float(step) * 30
            mark.box(x: -0.03...0.03, y: -0.88 ... -0.74, Ink(0x1E2430))
        }
        pen.stroke([(0, 0.1), (0.1, -0.3), (0.2, -0.6)], width: 0.09, Ink(0x1E2430))
        pen.stroke([(-0.1, 0.05), (0.2, -0.05), (0.45, -0.15)], width: 0.1, Ink(0x1E2430))
    }

    // MARK: Patterns and logos

    private mutating func drawPattern() {
        let step = Float(canvas.width) / Float(random.pick(Array(5...14)))
        let kind = random.pick([0, 1, 2])
        var pen = DrawnPen(canvas, origin: (0, 0), unit: step)
        for row in 0...Int(Float(canvas.height) / step) {
            for column in 0...Int(Float(canvas.width) / step) {
                pen.origin = ((Float(column) + 0.5) * step, (Float(row) + 0.5) * step)
                pen.box(x: -0.5...0.5, y: -0.5...0.5, (row + column) % 2 == 0 ? other : other.mixed(with: ink, 0.3))
                switch kind {
                case 0: pen.ellipse(at: (0, 0), (0.3, 0.3), ink, shade: 0.2)
                case 1: pen.polygon([(0, -0.45), (0.45, 0), (0, 0.45), (-0.45, 0)], ink, shade: 0.2)
                default: pen.box(x: -0.5...0.5, y: -0.2...0.2, ink)
                }
            }
        }
    }

    private mutating func drawLogo() {
        pen.box(x: -9...9, y: -9...9, other)
        pen.ellipse(at: (0, 0), (1.3, 1.3), ink)
        switch random.pick([0, 1, 2]) {
        case 0:
            pen.ellipse(at: (0, 0), (1, 1), other)
            pen.box(x: -0.2...0.2, y: -1...1, ink)
        case 1:
            let corners: Outline = [(0, -1), (0.25, -0.3), (0.95, -0.3), (0.4, 0.15), (0.6, 0.85), (0, 0.45)]
            pen.polygon(corners + corners.dropFirst().dropLast().reversed().map { (-$0.x, $0.y) }, other)
        default:
            pen.box(x: -0.7 ... -0.4, y: -0.7...0.7, other)
            pen.box(x: 0.4...0.7, y: -0.7...0.7, other)
            pen.polygon([(-0.4, -0.7), (0.4, 0.3), (0.4, 0.7), (-0.4, -0.3)], other)
        }
    }
}

import TondoTestSupport

/// What is behind people, and alone in pictures of landscapes.
struct DrawnBackground {
    private let canvas: DrawnCanvas
    /// The unit is the picture's width, the origin its upper left corner.
    private let pen: DrawnPen
    /// In the unit.
    private let height: Float

    init(_ canvas: DrawnCanvas) {
        self.canvas = canvas
        pen = DrawnPen(canvas, origin: (0, 0), unit: Float(canvas.width))
        height = Float(canvas.height) / Float(canvas.width)
    }

    func draw(using random: inout SplitMix64) {
        let ink = Ink(random.pick([0x7FC4BD, 0xF0C9A0, 0xA9C98A, 0xD9CBBE, 0xE3E3E3, 0x6F86A8, 0x8C8379, 0x5F5660]))
        pen.box(x: -0.01...1.01, y: -0.01...(height + 0.01), ink, shade: 0.3)
        switch random.pick([0, 1, 2, 3, 4]) {
        case 0: drawSpots(ink, using: &random)
        case 1: drawHills(using: &random)
        case 2: drawRoom(ink, using: &random)
        case 3: drawLeaves(ink, using: &random)
        default: pen.glow(at: (0.5, height * 0.4), (0.6, 0.6), ink.times(1.2), alpha: 0.8)
        }
    }

    private func drawSpots(_ ink: Ink, using random: inout SplitMix64) {
        for _ in 0..<16 {
            let size = random.pick(0.04...0.14)
            let light = ink.mixed(with: Ink(0xFFF7DB), random.pick(0.2...0.8))
            pen.ellipse(at: (random.pick(0...1), random.pick(0...height)), (size, size), light, alpha: 0.25)
        }
    }

    private func drawHills(using random: inout SplitMix64) {
        pen.glow(at: (random.pick(0.1...0.9), height * 0.2), (0.3, 0.3), Ink(0xFFF7E2), alpha: 0.9)
        for (level, ink): (Float, Int) in [(0.4, 0x9DB3A4), (0.55, 0x7C9A78), (0.75, 0x5C7F57)] {
            let tops: Outline = (0...6).map { (Float($0) * 0.23 - 0.2, height * (level + random.pick(-0.07...0.07))) }
            pen.blob(tops + [(1.3, height * 1.3), (-0.3, height * 1.3)], Ink(ink), shade: 0.2)
        }
    }

    private func drawRoom(_ ink: Ink, using random: inout SplitMix64) {
        pen.box(x: -0.1...1.1, y: (height * 0.85)...(height + 0.1), ink.times(0.55), shade: 0.2)
        for left: Float in [0.06, 0.42, 0.76] {
            let (top, right) = (height * random.pick(0.05...0.2), left + random.pick(0.12...0.2))
            let bottom = top + height * random.pick(0.2...0.4)
            let glass = Ink(random.pick([0xDCEBF2, 0x3B4A55, 0xB98F62]))
            pen.box(x: left...right, y: top...bottom, ink.times(random.pick([0.5, 0.7, 1.3])), shade: 0.1)
            pen.box(x: (left + 0.015)...(right - 0.015), y: (top + 0.015)...(bottom - 0.015), glass, shade: 0.3)
        }
    }

    private func drawLeaves(_ ink: Ink, using random: inout SplitMix64) {
        for _ in 0..<40 {
            var leaf = pen.moved(random.pick(0...1), random.pick(0...height), scale: random.pick(0.06...0.15))
            leaf.tilt = random.pick(0...360)
            let tone = Ink(random.pick([0x3E6B3A, 0x6B9150, 0x8FB06A, 0x2F5230])).mixed(with: ink, 0.3)
            leaf.blob([(-1, 0), (0, 0.3), (1, 0), (0, -0.3)], tone, alpha: 0.8, shade: 0.2)
        }
    }
}

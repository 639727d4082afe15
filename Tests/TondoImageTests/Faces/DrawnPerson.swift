import TondoTestSupport

/// An invented person. All of them have one drawn face; this is what makes them differ.
struct DrawnPerson {
    enum Hair: CaseIterable { case short, bob, long, afro, bun, scarf, bald }
    enum Hat: CaseIterable { case cap, beanie, brim }
    enum Age: CaseIterable { case baby, adult, old }

    /// Skin, from very light to very dark.
    static let tones = [0xF6D9C6, 0xE9BE9C, 0xD1A077, 0xA9714A, 0x7A4A31, 0x4C2D21].map(Ink.init)

    /// An index of `tones`.
    var tone: Int
    var hair: Hair
    var age = Age.adult
    /// 0: none, 1: stubble, 2: full.
    var beard = 0
    var hasGlasses = false
    var hasMask = false
    var hat: Hat?
    /// An open mouth shows teeth.
    var isOpen: Bool
    var hasLashes: Bool
    /// Degrees, to the right.
    var tilt: Float
    /// How far the head looks aside, see `DrawnPen.yaw`.
    var yaw: Float
    var hairInk: Ink
    var eyes: Ink
    var clothes: Ink
    /// Hat, scarf, trousers, the rims of glasses.
    var second: Ink

    var skin: Ink { Self.tones[tone] }
    /// Skin in the light, and in folds.
    private var shine: Ink { skin.mixed(with: Ink(0xFFEBD8), tone < 4 ? 0.35 : 0.22) }
    private var fold: Ink { skin.mixed(with: Ink(0x4D1414), 0.6) }

    init(using random: inout SplitMix64) {
        tone = Int.random(in: Self.tones.indices, using: &random)
        hair = random.pick(Hair.allCases)
        isOpen = Bool.random(using: &random)
        hasLashes = Bool.random(using: &random) && hair != .bald
        tilt = random.pick(-6...6)
        yaw = random.pick(-0.1...0.1)
        let fair = [0x2A1C17, 0x4A2E20, 0x7D4A28, 0xB9592A, 0xD9B36B]
        hairInk = Ink(random.pick(tone < 2 ? fair : Array(fair.prefix(2))))
        eyes = Ink(random.pick(tone < 2 ? [0x4D7FA0, 0x5F7F6C, 0x5B3620] : [0x4A2C1C, 0x3A2216]))
        clothes = Ink(random.pick([0xE2A52F, 0x41698F, 0x3E6B4C, 0x7A5F9D, 0xB8323F, 0x25406E, 0x39353C, 0xE6E1D8]))
        second = Ink(random.pick([0x2F8F8A, 0xC76B7C, 0x3B2A25, 0x8A2F45, 0x2C3E57]))
        if hair == .scarf { hairInk = second }
    }

    /// Draws the person with the middle of the face at the pen's origin; `isWhole`: down to the feet.
    func draw(_ pen: DrawnPen, isWhole: Bool = false) -> DrawnFace {
        var head = pen
        head.tilt = tilt
        drawHairBehind(head)
        isWhole ? drawFigure(pen) : drawShoulders(pen)
        drawHead(head)
        var face = head.moved(0, age == .baby ? 0.16 : 0, scale: age == .baby ? 0.86 : 1)
        face.yaw = yaw
        for side: Float in [-1, 1] { drawEye(face, side: side) }
        drawNose(face)
        drawMouth(face)
        if age == .old { drawWrinkles(face) }
        if beard > 0 { drawBeard(face) }
        if hasMask { drawMask(face) }
        drawHairInFront(head)
        if hasGlasses { drawGlasses(face) }
        if let hat { drawHat(hat, head) }
        return DrawnFace(self, head: head, face: face)
    }

    // MARK: Below the chin

    private func drawShoulders(_ pen: DrawnPen) {
        let width: Float = age == .baby ? 0.72 : 1
        pen.blob(
            [
                (0, 1.16), (0.3, 1.2), (0.72 * width, 1.42), (1.2 * width, 1.6), (1.52 * width, 1.9),
                (1.72 * width, 2.5), (1.82 * width, 4.2), (1.84 * width, 9), (1.84 * width, 16), (0, 16.2),
            ], isHalf: true, clothes, shade: 0.25)
        pen.blob(
            [(0, 0.4), (0.38, 0.5), (0.37, 1), (0.46, 1.3), (0.4, 1.5), (0, 1.66)], isHalf: true,
            skin.times(0.94), shade: 0.15)
        pen.glow(at: (0.04, 0.9), (0.5, 0.42), skin.mixed(with: Ink(0x591F1F), 0.5), alpha: 0.75)
        for side: Float in [-1, 1] {
            pen.stroke(
                [(side * 0.95, 2.1), (side * 0.88, 2.6), (side, 3.4)], width: 0.1, clothes.times(0.6), alpha: 0.6)
        }
    }

    private func drawFigure(_ pen: DrawnPen) {
        for side: Float in [-1, 1] {
            pen.blob(
                [
                    (side * 0.1, 6), (side * 1.3, 6), (side * 1.2, 9), (side * 1, 12.2), (side * 0.45, 12.2),
                    (side * 0.4, 9),
                ],
                second, shade: 0.2)
            pen.ellipse(at: (side * 0.85, 12.3), (0.5, 0.25), Ink(0x2A2422))
            pen.ellipse(at: (side * 1.95, 6.4), (0.27, 0.4), skin, shade: 0.1)
            pen.blob(
                [
                    (side * 0.9, 1.5), (side * 1.6, 1.7), (side * 2, 3), (side * 2.25, 6.2), (side * 1.75, 6.3),
                    (side * 1.4, 3.6),
                ], clothes.times(0.9), shade: 0.2)
        }
        pen.blob(
            [(0, 1.2), (0.5, 1.3), (1.3, 1.55), (1.55, 2.4), (1.3, 4.2), (1.4, 6.4), (0, 6.5)], isHalf: true, clothes,
            shade: 0.2)
        pen.blob(
            [(0, 0.4), (0.36, 0.5), (0.36, 1), (0.4, 1.4), (0, 1.6)], isHalf: true, skin.times(0.8), shade: 0.15)
    }

    // MARK: The head

    private func drawHead(_ pen: DrawnPen) {
        let (warm, dark) = (skin.mixed(with: Ink(0xDB4033), 0.42), skin.mixed(with: Ink(0x401518), 0.4))
        if ![.bob, .long, .scarf].contains(hair) {
            for side: Float in [-1, 1] {
                pen.ellipse(at: (side * 0.78, 0.06), (0.13, 0.23), skin.times(0.93), shade: 0.1)
                pen.ellipse(at: (side * 0.79, 0.07), (0.06, 0.13), warm.times(0.85), alpha: 0.5)
            }
        }
        let adult: Outline = [
            (0, -1.02), (0.42, -0.95), (0.69, -0.66), (0.77, -0.2), (0.745, 0.22), (0.62, 0.6), (0.38, 0.89), (0.16, 1),
            (0, 1.015),
        ]
        let baby: Outline = [
            (0, -1.05), (0.5, -0.98), (0.8, -0.66), (0.87, -0.15), (0.84, 0.3), (0.7, 0.66), (0.42, 0.9), (0.16, 0.97),
            (0, 0.98),
        ]
        pen.blob(age == .baby ? baby : adult, isHalf: true, skin, shade: 0.16)
        // The cheeks, the brow and the chin are round: each has a light and a dark side.
        let lit = pen.canvas.light.x < 0 ? Float(1) : -1
        pen.glow(at: (-lit * 0.5, 0.3), (0.3, 0.6), dark, alpha: 0.35)
        pen.glow(at: (lit * 0.25, -0.45), (0.5, 0.35), shine, alpha: 0.6)
        pen.glow(at: (0, 0.84), (0.4, 0.16), dark, alpha: 0.25)
        for side: Float in [-1, 1] {
            pen.glow(at: (side * 0.42, 0.34), (0.28, 0.26), warm, alpha: 0.4)
            pen.glow(at: (side * 0.42 + lit * 0.05, 0.2), (0.22, 0.16), shine, alpha: 0.5)
        }
    }

    private func drawEye(_ pen: DrawnPen, side: Float) {
        let (x, y): (Float, Float) = (side * 0.315, -0.02)
        let dark = skin.times(0.3).mixed(with: Ink(0x240D0F), 0.5)
        pen.glow(at: (x, y - 0.04), (0.27, 0.2), skin.mixed(with: Ink(0x6B2E33), 0.5), alpha: 0.6)
        pen.blob(
            [
                (x - 0.155, y + 0.02), (x - 0.08, y - 0.075), (x, y - 0.1), (x + 0.09, y - 0.07), (x + 0.155, y + 0.01),
                (x + 0.07, y + 0.075), (x - 0.07, y + 0.08),
            ], Ink(0xF4F0EA).times(tone > 3 ? 0.9 : 1))
        pen.ellipse(at: (x, y - 0.01), (0.085, 0.085), eyes.times(0.6))
        pen.ellipse(at: (x, y - 0.006), (0.068, 0.068), eyes)
        pen.ellipse(at: (x, y - 0.01), (0.042, 0.042), Ink(0x0D0909))
        pen.ellipse(at: (x - 0.03, y - 0.045), (0.022, 0.022), Ink(0xFFFFFF))
        pen.stroke(
            [
                (x - side * 0.16, y + 0.02), (x - side * 0.07, y - 0.085), (x, y - 0.107), (x + side * 0.09, y - 0.08),
                (x + side * 0.18, y),
            ], width: hasLashes ? 0.06 : 0.042, dark)
        pen.stroke(
            [(x - side * 0.12, y - 0.12), (x, y - 0.16), (x + side * 0.14, y - 0.1)], width: 0.022, dark, alpha: 0.45)
        pen.stroke([(x - 0.1, y + 0.085), (x, y + 0.1), (x + 0.1, y + 0.08)], width: 0.018, dark, alpha: 0.4)
        let brow = hair == .scarf ? Ink(0x3A2620) : hairInk.times(age == .old ? 0.9 : 0.7)
        pen.stroke(
            [(side * 0.13, -0.285), (side * 0.32, -0.355), (side * 0.53, -0.27)], width: hasLashes ? 0.07 : 0.09, brow,
            alpha: age == .baby ? 0.4 : 0.9)
    }

    private func drawNose(_ pen: DrawnPen) {
        let lit = pen.canvas.light.x < 0 ? Float(1) : -1
        pen.stroke([(-lit * 0.06, -0.16), (-lit * 0.1, 0.1), (-lit * 0.14, 0.29)], width: 0.1, fold, alpha: 0.2)
        pen.stroke([(lit * 0.02, -0.2), (lit * 0.02, 0.05), (lit * 0.03, 0.24)], width: 0.07, shine, alpha: 0.5)
        pen.glow(at: (lit * 0.03, 0.24), (0.11, 0.1), shine, alpha: 0.9)
        pen.glow(at: (0, 0.37), (0.2, 0.09), fold, alpha: 0.5)
        pen.stroke(
            [
                (-0.14, 0.26), (-0.115, 0.345), (-0.04, 0.345), (0, 0.375), (0.04, 0.345), (0.115, 0.345), (0.14, 0.26),
            ], width: 0.036, fold, alpha: 0.65)
        for side: Float in [-1, 1] {
            pen.ellipse(at: (side * 0.065, 0.343), (0.034, 0.018), fold.times(0.5), alpha: 0.8)
        }
    }

    private func drawMouth(_ pen: DrawnPen) {
        let lips = skin.mixed(with: Ink(0xA63A40), hasLashes ? 0.75 : 0.45)
        let line = skin.mixed(with: Ink(0x3A0E10), 0.7)
        let upper: Outline = [(0, 0.515), (0.06, 0.5), (0.15, 0.51), (0.32, 0.515)]
        if isOpen {
            pen.blob(upper + [(0.22, 0.73), (0, 0.81)], isHalf: true, lips)
            pen.blob([(0, 0.555), (0.15, 0.545), (0.29, 0.53), (0.19, 0.69), (0, 0.75)], isHalf: true, Ink(0x5A1C22))
            pen.blob([(0, 0.552), (0.26, 0.535), (0.18, 0.635), (0, 0.66)], isHalf: true, Ink(0xF2EEE6))
        } else {
            pen.blob(upper + [(0.14, 0.6), (0, 0.617)], isHalf: true, lips.times(0.85))
            pen.blob([(0, 0.61), (0.14, 0.595), (0.28, 0.54), (0.17, 0.66), (0, 0.71)], isHalf: true, lips)
            pen.glow(at: (-0.04, 0.66), (0.12, 0.05), lips.times(1.4), alpha: 0.6)
            pen.stroke(
                [(-0.34, 0.49), (-0.26, 0.54), (-0.13, 0.6), (0, 0.617), (0.13, 0.6), (0.26, 0.54), (0.34, 0.49)],
                width: 0.035, line)
        }
        pen.glow(at: (0, 0.82), (0.2, 0.06), line, alpha: 0.3)
    }

    private func drawWrinkles(_ pen: DrawnPen) {
        for side: Float in [-1, 1] {
            pen.stroke([(side * 0.2, 0.33), (side * 0.34, 0.46), (side * 0.38, 0.62)], width: 0.03, fold, alpha: 0.6)
            pen.stroke([(side * 0.2, 0.12), (side * 0.33, 0.15), (side * 0.46, 0.1)], width: 0.03, fold, alpha: 0.4)
            pen.stroke([(side * 0.57, 0.02), (side * 0.66, 0), (side * 0.7, -0.03)], width: 0.02, fold, alpha: 0.5)
        }
        for y: Float in [-0.62, -0.5] {
            pen.stroke([(-0.3, y), (0, y - 0.03), (0.3, y)], width: 0.02, fold, alpha: 0.35)
        }
    }

    // MARK: What covers the face

    private func drawBeard(_ pen: DrawnPen) {
        let isFull = beard > 1
        let ends: Outline = isFull ? [(0.62, 0.92), (0.3, 1.14), (0, 1.18)] : [(0.55, 0.78), (0.3, 0.97), (0, 1.02)]
        // Around the mouth: the lips stay free.
        let outer: Outline = [(0, 0.44), (0.2, 0.43), (0.42, 0.55), (0.6, 0.4), (0.71, 0.1), (0.74, 0.2)] + ends
        pen.blob(outer, isHalf: true, hairInk.times(0.85), alpha: isFull ? 0.95 : 0.45, shade: 0.25)
        pen.ellipse(at: (0, 0.62), (0.27, 0.1), skin.mixed(with: Ink(0xA63A40), 0.4))
        drawMouth(pen)
    }

    private func drawMask(_ pen: DrawnPen) {
        let cloth = clothes.mixed(with: Ink(0xBFD9E6), 0.8)
        for side: Float in [-1, 1] {
            pen.stroke([(side * 0.5, 0.3), (side * 0.66, 0.14), (side * 0.76, 0.02)], width: 0.03, cloth.times(0.9))
        }
        pen.blob(
            [(0, 0.16), (0.2, 0.24), (0.55, 0.3), (0.62, 0.6), (0.45, 0.9), (0.2, 1.03), (0, 1.06)], isHalf: true,
            cloth,
            shade: 0.2)
        for y: Float in [0.45, 0.6, 0.75] {
            pen.stroke([(-0.56, y), (0, y + 0.05), (0.56, y)], width: 0.03, cloth.times(0.8), alpha: 0.7)
        }
    }

    private func drawGlasses(_ pen: DrawnPen) {
        for side: Float in [-1, 1] {
            let x = side * 0.33
            pen.ellipse(at: (x - 0.06, -0.08), (0.1, 0.06), Ink(0xFFFFFF), alpha: 0.2)
            let rim: Outline = [(0.25, 0), (0.18, 0.16), (0, 0.2), (-0.2, 0.15), (-0.25, 0), (-0.2, -0.15), (0, -0.2)]
            let round = rim + rim + rim.prefix(1)
            pen.stroke(round.map { (x + $0.x, $0.y) }, width: 0.05, second.times(0.8))
            pen.stroke(
                [(side * 0.56, -0.05), (side * 0.68, -0.07), (side * 0.79, -0.06)], width: 0.06, second.times(0.7))
        }
        pen.stroke([(-0.12, -0.03), (0, -0.075), (0.12, -0.03)], width: 0.06, second.times(0.8))
    }
}

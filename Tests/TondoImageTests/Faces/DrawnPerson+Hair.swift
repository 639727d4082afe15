extension DrawnPerson {
    /// The highest place of the head with its hair (but not a bun) or its hat.
    var crown: Float {
        switch (hat, hair) {
        case (.cap, _): -1.25
        case (.beanie, _): -1.38
        case (.brim, _): -1.45
        case (nil, _) where age == .baby: -1.12
        case (nil, .bald): -1.02
        case (nil, .afro): -1.4
        case (nil, .bun): -1.18
        case (nil, _): -1.27
        }
    }

    func drawHairBehind(_ pen: DrawnPen) {
        guard age != .baby else { return }
        let ink = hairInk.times(0.75)
        switch hair {
        case .bald: break
        case .short: pen.ellipse(at: (0, -0.4), (0.82, 0.78), ink)
        case .afro: pen.ellipse(at: (0, -0.42), (1.16, 1), ink, shade: 0.2)
        case .bun:
            if hat == nil { pen.ellipse(at: (0.05, -1.2), (0.34, 0.28), ink, shade: 0.1) }
            pen.ellipse(at: (0, -0.32), (0.84, 0.86), ink)
        case .bob:
            pen.blob(
                [
                    (0, -1.26), (0.6, -1.14), (0.95, -0.72), (1.03, -0.1), (1.05, 0.5), (0.98, 0.92), (0.4, 0.9),
                    (0, 0.9),
                ],
                isHalf: true, ink)
        case .long:
            pen.blob(
                [(0, -1.24), (0.56, -1.13), (0.92, -0.75), (1, -0.2), (1.06, 0.3), (1.1, 1.3), (1, 1.85), (0, 1.6)],
                isHalf: true, ink)
        case .scarf:
            pen.blob(
                [(0, -1.3), (0.62, -1.18), (0.97, -0.72), (1.04, 0), (0.95, 0.6), (0.9, 1.5), (0, 1.9)], isHalf: true,
                ink)
        }
    }

    func drawHairInFront(_ pen: DrawnPen) {
        guard let front = age == .baby ? Self.fluff : Self.fronts[hair] else { return }
        let isBaby = age == .baby
        if !isBaby { pen.glow(at: (0, -0.62), (0.75, 0.3), skin.times(0.5), alpha: 0.45) }
        pen.blob(front, isHalf: front.last?.x == 0, hairInk, alpha: isBaby ? 0.6 : 1, shade: 0.3)
        if !isBaby, hair == .long || hair == .scarf { pen.blob(front.map { (-$0.x, $0.y) }, hairInk, shade: 0.3) }
        guard hair != .scarf, !isBaby else { return }
        let lit = hairInk.times(1.5)
        for x: Float in [-0.5, -0.25, 0.05, 0.3, 0.55] {
            pen.stroke([(x * 0.6, -1.12), (x, -0.95), (x * 1.25, -0.75)], width: 0.05, lit, alpha: 0.35)
        }
    }

    func drawHat(_ hat: Hat, _ pen: DrawnPen) {
        let ink = second
        pen.glow(at: (0, -0.55), (0.75, 0.25), skin.times(0.45), alpha: 0.6)
        switch hat {
        case .cap:
            pen.blob([(0, -1.25), (0.5, -1.17), (0.8, -0.85), (0.84, -0.55), (0, -0.6)], isHalf: true, ink, shade: 0.3)
            pen.blob([(0, -0.72), (0.6, -0.66), (0.84, -0.52), (0.5, -0.5), (0, -0.46)], isHalf: true, ink.times(0.7))
        case .beanie:
            pen.blob([(0, -1.38), (0.5, -1.25), (0.85, -0.8), (0.9, -0.4), (0, -0.45)], isHalf: true, ink, shade: 0.3)
            pen.blob([(0, -0.72), (0.88, -0.66), (0.9, -0.4), (0, -0.45)], isHalf: true, ink.times(1.25), shade: 0.2)
        case .brim:
            pen.blob([(0, -1.45), (0.55, -1.38), (0.72, -0.8), (0.75, -0.6), (0, -0.6)], isHalf: true, ink, shade: 0.3)
            pen.blob(
                [(0, -0.7), (0.8, -0.66), (1.35, -0.55), (0.8, -0.46), (0, -0.48)], isHalf: true, ink.times(0.8),
                shade: 0.2)
        }
    }

    private static let fluff: Outline = [(0, -1.12), (0.5, -1.04), (0.8, -0.72), (0.7, -0.72), (0.4, -0.86), (0, -0.9)]

    /// Outlines, or their right halves if they end at x = 0; long hair and the scarf: one side.
    private static let fronts: [Hair: Outline] = [
        .short: [
            (-0.76, -0.12), (-0.85, -0.55), (-0.7, -0.98), (-0.3, -1.24), (0.22, -1.27), (0.66, -1.08), (0.86, -0.66),
            (0.78, -0.1), (0.7, -0.1), (0.68, -0.4), (0.52, -0.68), (0.2, -0.64), (-0.2, -0.74), (-0.5, -0.56),
            (-0.66, -0.5), (-0.7, -0.1),
        ],
        .bob: [
            (0, -1.24), (0.58, -1.1), (0.92, -0.68), (0.98, -0.1), (0.97, 0.5), (0.86, 0.86), (0.72, 0.72),
            (0.745, 0.3),
            (0.72, -0.16), (0.66, -0.42), (0.5, -0.38), (0.25, -0.4), (0, -0.42),
        ],
        .long: [
            (0.2, -1.22), (-0.62, -1.08), (-0.94, -0.62), (-1.02, 0), (-1.07, 0.5), (-1, 0.95), (-1.1, 1.45),
            (-0.92, 1.98),
            (-0.62, 1.86), (-0.5, 1.4), (-0.6, 0.95), (-0.66, 0.6), (-0.74, 0.2), (-0.71, -0.2), (-0.5, -0.55),
            (0.1, -0.8),
        ],
        .afro: [
            (0, -1.2), (0.5, -1.1), (0.95, -0.7), (0.98, -0.1), (0.8, 0.05), (0.72, -0.15), (0.62, -0.45),
            (0.34, -0.63),
            (0, -0.67),
        ],
        .bun: [
            (0, -1.16), (0.5, -1.06), (0.82, -0.64), (0.86, -0.12), (0.74, 0.02), (0.69, -0.3), (0.45, -0.62),
            (0, -0.74),
        ],
        .scarf: [
            (-0.05, -1.28), (0.6, -1.16), (0.93, -0.7), (0.98, -0.05), (0.9, 0.55), (0.7, 1.1), (-0.05, 1.6),
            (-0.05, 1.03), (0.26, 0.95), (0.5, 0.7), (0.63, 0.38), (0.66, 0), (0.58, -0.38), (0.36, -0.64),
            (-0.05, -0.7),
        ],
    ]
}

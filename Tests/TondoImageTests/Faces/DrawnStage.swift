import TondoTestSupport

/// Places people before a background.
struct DrawnStage {
    let canvas: DrawnCanvas
    let kind: DrawnScene.Kind
    var random: SplitMix64
    private(set) var faces: [DrawnFace] = []

    init(_ canvas: DrawnCanvas, kind: DrawnScene.Kind, random: SplitMix64) {
        self.canvas = canvas
        self.kind = kind
        self.random = random
    }

    private var width: Float { Float(canvas.width) }
    private var height: Float { Float(canvas.height) }
    private var short: Float { min(width, height) }

    mutating func draw() {
        DrawnBackground(canvas).draw(using: &random)
        switch kind {
        case .framed: drawFramed()
        case .figure: drawFigure()
        case .pair: drawRow(count: 2)
        case .trio: drawRow(count: 3)
        case .group: drawGroup()
        case .landscape, .object, .pet, .pattern, .logo:
            var thing = DrawnThing(canvas, random: random)
            thing.draw(kind)
        default: drawPlaced()
        }
    }

    /// Adds a person whose face is `size` high (pixels, chin to brow) with its middle here.
    private mutating func add(at centre: (x: Float, y: Float), size: Float, isWhole: Bool = false) {
        let person = person()
        faces.append(person.draw(DrawnPen(canvas, origin: centre, unit: size / 1.84), isWhole: isWhole))
    }

    private mutating func person() -> DrawnPerson {
        var person = DrawnPerson(using: &random)
        switch kind {
        case .turned: person.tilt = random.pick(10...20) * random.pick([-1, 1])
        case .dark: person.tone = random.pick([4, 5])
        case .glasses: person.hasGlasses = true
        case .hat: person.hat = random.pick(DrawnPerson.Hat.allCases)
        case .mask: person.hasMask = true
        case .beard:
            person.beard = random.pick([1, 2])
            person.hair = random.pick([.short, .afro, .bald])
            person.hasLashes = false
        case .baby:
            person.age = .baby
            person.hair = .short
            person.hasLashes = false
        default: if random.pick(0...1) < 0.2 { person.age = .old }
        }
        if person.age == .old, person.hair != .scarf { person.hairInk = Ink(0xC9C6CB) }
        return person
    }

    private mutating func drawFramed() {
        let size = short * random.pick(0.33...0.45)
        let shift = (random.pick(-0.06...0.06) * short, random.pick(-0.03...0.06) * short)
        add(at: (width / 2 + shift.0, height / 2 + shift.1), size: size)
    }

    private mutating func drawPlaced() {
        let size = short * random.pick((kind == .mask ? 0.2 : 0.12)...0.55)
        let x = random.pick(size * 0.6...max(width - size * 0.6, size * 0.6 + 1))
        add(at: (x, random.pick(size * 0.85...max(height - size * 0.65, size * 0.85 + 1))), size: size)
    }

    private mutating func drawFigure() {
        let unit = height * random.pick(0.75...0.95) / 14.2
        let feet = height * random.pick(0.96...0.99)
        add(at: (width * random.pick(0.25...0.75), feet - unit * 12.5), size: unit * 1.84, isWhole: true)
    }

    private mutating func drawRow(count: Int) {
        let size = min(short * random.pick(0.2...0.4), width / Float(count) * 0.56)
        let step = size * random.pick(1.25...1.5)
        let start = width / 2 - step * Float(count - 1) / 2 + (width - step * Float(count)) * random.pick(-0.3...0.3)
        for index in 0..<count {
            let y = max(height * random.pick(0.42...0.5), size)
            add(at: (start + step * Float(index), y), size: size * random.pick(0.9...1.1))
        }
    }

    private mutating func drawGroup() {
        let (size, x) = (short * random.pick(0.36...0.48), width * random.pick(0.35...0.65))
        for place: Float in [0.1, 0.28, 0.46, 0.64, 0.82, 0.94] where abs(width * place - x) > size * 0.85 {
            let small = size * random.pick(0.36...0.5)
            add(at: (width * place, height * random.pick(0.26...0.34)), size: small)
        }
        add(at: (x, height * random.pick(0.5...0.58)), size: size)
    }
}

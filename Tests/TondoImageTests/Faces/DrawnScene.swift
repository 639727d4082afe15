import TondoTestSupport

/// What is known of a drawn face; pixels of the picture.
struct DrawnFace {
    let person: DrawnPerson
    /// From the brow to the chin, as the detector's boxes lie.
    let box: (x: Float, y: Float, width: Float, height: Float)
    /// The highest place of the head with its hair or hat, and the lowest of the chin.
    let crown: (x: Float, y: Float)
    let chin: (x: Float, y: Float)
    /// As the detector's: right eye, left eye, nose, right and left corner of the mouth, as the person's right.
    let landmarks: [(x: Float, y: Float)]
    /// The head with its hair or hat, without what hangs down.
    let head: (centre: (x: Float, y: Float), radius: (x: Float, y: Float))

    /// `head` and `face`: the pens that drew them.
    init(_ person: DrawnPerson, head: DrawnPen, face: DrawnPen) {
        self.person = person
        // The middle and the half sides of the detector's boxes, on average.
        let middle = head.place(person.yaw * 0.5, person.age == .baby ? 0.225 : 0.145)
        let half: (x: Float, y: Float) = (0.735 * head.unit, 0.92 * head.unit)
        box = (middle.x - half.x, middle.y - half.y, 2 * half.x, 2 * half.y)
        crown = head.place(0, person.crown)
        chin = head.place(0, 1)
        landmarks = [(-0.315, -0.02), (0.315, -0.02), (0, 0.3), (-0.28, 0.56), (0.28, 0.56)].map(face.place)
        self.head = (head.place(0, (person.crown + 1) / 2), (0.88 * head.unit, (1 - person.crown) / 2 * head.unit))
    }
}

/// A drawn picture with its labels. A kind and a number give the same picture in each run.
struct DrawnScene {
    enum Kind: String, CaseIterable {
        /// One face in the middle, large enough: the centre square shows it well.
        case framed
        /// One face of any size at any place.
        case placed
        /// One person down to the feet.
        case figure
        case pair, trio
        /// One large face, and small ones behind.
        case group
        /// No face.
        case landscape, object, pet, pattern, logo
        /// As `placed`, but ...
        case turned, gray, dark, glasses, hat, mask, beard, baby

        /// How many pictures the set has of this kind.
        var count: Int {
            switch self {
            case .placed: 120
            case .framed: 60
            case .figure, .group, .pet: 40
            case .pair, .trio, .turned, .gray, .dark, .glasses, .hat, .beard, .baby: 30
            case .mask, .landscape, .object, .pattern, .logo: 20
            }
        }
    }

    /// All pictures.
    static let set = Kind.allCases.flatMap { kind in (0..<kind.count).map { (kind: kind, number: $0) } }

    let kind: Kind
    let width: Int
    let height: Int
    /// R, G, B, A of each pixel, opaque.
    let pixels: [UInt8]
    /// The largest first.
    let faces: [DrawnFace]

    /// `scale`: how much larger than about 320 pixels a picture is; the drawing is the same.
    init(_ kind: Kind, number: Int, scale: Int = 1) {
        let place = Kind.allCases.firstIndex(of: kind)!
        var random = SplitMix64(UInt64(place * 1_000 + number))
        let format = random.pick(kind.formats)
        let canvas = DrawnCanvas(width: format.0 * scale, height: format.1 * scale)
        canvas.light = (random.pick(-0.7...0.7), 0.4)
        var stage = DrawnStage(canvas, kind: kind, random: random)
        stage.draw()
        self.kind = kind
        width = canvas.width
        height = canvas.height
        faces = stage.faces.sorted { $0.box.height > $1.box.height }
        pixels = canvas.rgba(gain: kind == .dark ? 0.45 : 1, grain: kind == .dark ? 5 : 3, isGray: kind == .gray)
    }
}

extension DrawnScene.Kind {
    fileprivate var formats: [(Int, Int)] {
        switch self {
        case .figure: [(240, 320), (256, 256), (213, 320)]
        case .pair, .trio, .group: [(320, 240), (320, 213), (288, 288)]
        default: [(320, 240), (320, 200), (240, 320), (200, 320), (256, 256)]
        }
    }
}

extension SplitMix64 {
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }

    mutating func pick(_ range: ClosedRange<Float>) -> Float { Float.random(in: range, using: &self) }
}

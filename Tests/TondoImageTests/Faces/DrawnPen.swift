#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Draws on a canvas in units of its own, around an origin. In a face the unit is half a head: the face's middle is
/// (0, 0), the chin lies at y = 1, the top of the skull at y = -1.
struct DrawnPen {
    let canvas: DrawnCanvas
    /// Pixels.
    var origin: (x: Float, y: Float)
    /// Pixels.
    var unit: Float
    /// What leans to the right is turned by this, degrees.
    var tilt: Float = 0 {
        didSet {
            cosine = cosf(tilt * .pi / 180)
            sine = sinf(tilt * .pi / 180)
        }
    }
    /// How far a round head looks to the right: the middle of the face moves by this.
    var yaw: Float = 0
    private var cosine: Float = 1
    private var sine: Float = 0

    init(_ canvas: DrawnCanvas, origin: (x: Float, y: Float), unit: Float) {
        self.canvas = canvas
        self.origin = origin
        self.unit = unit
    }

    /// Where a place is in the picture, pixels.
    func place(_ x: Float, _ y: Float) -> (x: Float, y: Float) {
        let x = yaw == 0 ? x : x + yaw * (1 - x * x * 1.4)
        return (origin.x + (x * cosine - y * sine) * unit, origin.y + (x * sine + y * cosine) * unit)
    }

    /// The pen with its origin at another place.
    func moved(_ x: Float, _ y: Float, scale: Float = 1) -> DrawnPen {
        var pen = self
        pen.origin = place(x, y)
        pen.unit *= scale
        return pen
    }

    func polygon(_ points: Outline, _ ink: Ink, alpha: Float = 1, shade: Float = 0) {
        canvas.fill(points.map { place($0.x, $0.y) }, ink, alpha: alpha, shade: shade)
    }

    /// A smooth shape through these points; with `isHalf` they are its right half from top to bottom.
    func blob(_ points: Outline, isHalf: Bool = false, _ ink: Ink, alpha: Float = 1, shade: Float = 0) {
        let left = isHalf ? points.reversed().filter { $0.x != 0 }.map { (x: -$0.x, y: $0.y) } : []
        polygon(Self.curve(points + left, isClosed: true), ink, alpha: alpha, shade: shade)
    }

    /// `size`: half of its width and height.
    func ellipse(
        at centre: (x: Float, y: Float), _ size: (x: Float, y: Float), _ ink: Ink, alpha: Float = 1, shade: Float = 0
    ) {
        let points = Self.circle.map { (centre.x + $0.x * size.x, centre.y + $0.y * size.y) }
        polygon(points, ink, alpha: alpha, shade: shade)
    }

    func box(x: ClosedRange<Float>, y: ClosedRange<Float>, _ ink: Ink, alpha: Float = 1, shade: Float = 0) {
        let (left, right, top, bottom) = (x.lowerBound, x.upperBound, y.lowerBound, y.upperBound)
        polygon([(left, top), (right, top), (right, bottom), (left, bottom)], ink, alpha: alpha, shade: shade)
    }

    /// A brush stroke, thin at its ends.
    func stroke(_ points: Outline, width: Float, _ ink: Ink, alpha: Float = 1) {
        let line = Self.curve(points, isClosed: false)
        var (right, left) = (Outline(), Outline())
        for (index, here) in line.enumerated() {
            let (before, after) = (line[max(index - 1, 0)], line[min(index + 1, line.count - 1)])
            let along = (x: after.x - before.x, y: after.y - before.y)
            let part = Float(index) / Float(line.count - 1)
            let half = width * (0.15 + 1.4 * part * (1 - part)) / (along.x * along.x + along.y * along.y).squareRoot()
            right.append((here.x - along.y * half, here.y + along.x * half))
            left.append((here.x + along.y * half, here.y - along.x * half))
        }
        polygon(right + left.reversed(), ink, alpha: alpha)
    }

    /// A soft spot, upright.
    func glow(at centre: (x: Float, y: Float), _ size: (x: Float, y: Float), _ ink: Ink, alpha: Float) {
        canvas.glow(at: place(centre.x, centre.y), radius: (size.x * unit, size.y * unit), ink, alpha: alpha)
    }

    private static let circle: Outline = (0..<28).map { (cosf(Float($0) * .pi / 14), sinf(Float($0) * .pi / 14)) }

    /// How much the four points around a place on a Catmull-Rom curve weigh, for four places.
    private static let weights: [[Float]] = [0, 0.25, 0.5, 0.75].map { t in
        [
            t * (t * (2 - t) - 1) / 2, t * t * (3 * t - 5) / 2 + 1, t * (t * (4 - 3 * t) + 1) / 2, t * t * (t - 1) / 2,
        ]
    }

    /// Points along the smooth curve through `points`.
    private static func curve(_ points: Outline, isClosed: Bool) -> Outline {
        let count = points.count
        var curve: Outline = []
        for index in 0..<(isClosed ? count : count - 1) {
            let four = (index - 1...index + 2).map {
                isClosed ? points[($0 + count) % count] : points[min(max($0, 0), count - 1)]
            }
            for weights in weights {
                var point: (x: Float, y: Float) = (0, 0)
                for (weight, corner) in zip(weights, four) {
                    point.x += weight * corner.x
                    point.y += weight * corner.y
                }
                curve.append(point)
            }
        }
        return isClosed ? curve : curve + points.suffix(1)
    }
}

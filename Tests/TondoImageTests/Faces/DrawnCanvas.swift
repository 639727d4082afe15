/// A colour; samples are sRGB, 0...255.
struct Ink {
    var red: Float
    var green: Float
    var blue: Float

    init(_ hex: Int) {
        red = Float(hex >> 16 & 0xFF)
        green = Float(hex >> 8 & 0xFF)
        blue = Float(hex & 0xFF)
    }

    func mixed(with other: Ink, _ part: Float) -> Ink {
        var ink = self
        ink.red += (other.red - red) * part
        ink.green += (other.green - green) * part
        ink.blue += (other.blue - blue) * part
        return ink
    }

    /// Brighter (over 1) or darker.
    func times(_ factor: Float) -> Ink { mixed(with: Ink(0), 1 - factor) }
}

/// Corners of a closed shape.
typealias Outline = [(x: Float, y: Float)]

/// A picture in memory on which shapes are laid over each other. Loops count by hand and use plain pointers, because
/// the set is drawn by unoptimised code.
final class DrawnCanvas {
    let width: Int
    let height: Int
    /// How much brighter a shaded shape is on its left (x) and at its top (y) than in its middle.
    var light: (x: Float, y: Float) = (0.5, 0.5)
    /// Red, green and blue of each pixel, 0...255, also beyond.
    private let samples: UnsafeMutablePointer<Float>
    /// What part of a pixel an outline begins to cover, less what it ceases to cover; two more in each row.
    private let edges: UnsafeMutablePointer<Float>

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        samples = .allocate(capacity: width * height * 3)
        samples.initialize(repeating: 0, count: width * height * 3)
        edges = .allocate(capacity: (width + 2) * height)
        edges.initialize(repeating: 0, count: (width + 2) * height)
    }

    deinit {
        samples.deallocate()
        edges.deallocate()
    }

    /// Fills a shape with smooth edges; `shade` (0...1): how much the light changes it.
    func fill(_ outline: Outline, _ ink: Ink, alpha: Float = 1, shade: Float = 0) {
        var (least, most, from) = (outline[0], outline[0], outline[outline.count - 1])
        for to in outline {
            least = (to.x < least.x ? to.x : least.x, to.y < least.y ? to.y : least.y)
            most = (to.x > most.x ? to.x : most.x, to.y > most.y ? to.y : most.y)
            from.y < to.y ? add(top: from, bottom: to, part: 0.25) : add(top: to, bottom: from, part: -0.25)
            from = to
        }
        let size = (x: most.x - least.x + 0.01, y: most.y - least.y + 0.01)
        let step = -2 * shade * light.x / size.x
        let columns = clamped(least.x, to: width)..<clamped(most.x + 2, to: width + 2)
        let end = clamped(most.y + 1, to: height)
        var y = clamped(least.y, to: height)
        while y < end {
            let across = 1 - 2 * (Float(columns.lowerBound) - least.x) / size.x
            let down = 1 - 2 * (Float(y) - least.y) / size.y
            let factor = 1 + shade * (light.x * across + light.y * down)
            blend(row: y, columns: columns, ink: ink, alpha: alpha, factor: factor, step: step)
            y += 1
        }
    }

    /// Notes an edge of a shape at four heights in each row.
    private func add(top: (x: Float, y: Float), bottom: (x: Float, y: Float), part: Float) {
        let slope = (bottom.x - top.x) / (bottom.y - top.y)
        let end = clamped(bottom.y * 4 + 0.5, to: height * 4)
        var line = clamped(top.y * 4 + 0.5, to: height * 4)
        while line < end {
            let exact = top.x + ((Float(line) + 0.5) / 4 - top.y) * slope
            let x = exact < 0 ? 0 : exact > Float(width) ? Float(width) : exact
            let cell = edges + ((line >> 2) * (width + 2) + Int(x))
            let rest = x - Float(Int(x))
            cell[0] += part * (1 - rest)
            cell[1] += part * rest
            line += 1
        }
    }

    /// Lays the shape over a row, and clears the row's edges.
    private func blend(row: Int, columns: Range<Int>, ink: Ink, alpha: Float, factor: Float, step: Float) {
        let (edge, end, last) = (edges + row * (width + 2), columns.upperBound, width)
        var (x, sum, factor) = (columns.lowerBound, Float(0), factor)
        var pixel = samples + (row * width + x) * 3
        while x < end {
            sum += edge[x]
            edge[x] = 0
            let covered = (sum < 0 ? -sum : sum) * alpha
            if covered > 0.004, x < last {
                let part = covered < 1 ? covered : 1
                pixel[0] += (ink.red * factor - pixel[0]) * part
                pixel[1] += (ink.green * factor - pixel[1]) * part
                pixel[2] += (ink.blue * factor - pixel[2]) * part
            }
            factor += step
            pixel += 3
            x += 1
        }
    }

    /// A soft spot that fades towards the edge of its ellipse.
    func glow(at centre: (x: Float, y: Float), radius: (x: Float, y: Float), _ ink: Ink, alpha: Float) {
        let left = clamped(centre.x - radius.x, to: width)
        let right = clamped(centre.x + radius.x + 1, to: width)
        let end = clamped(centre.y + radius.y + 1, to: height)
        var y = clamped(centre.y - radius.y, to: height)
        while y < end {
            let down = (Float(y) + 0.5 - centre.y) / radius.y
            var (x, pixel) = (left, samples + (y * width + left) * 3)
            while x < right {
                let across = (Float(x) + 0.5 - centre.x) / radius.x
                let inside = 1 - across * across - down * down
                if inside > 0 {
                    let part = inside * inside * alpha
                    pixel[0] += (ink.red - pixel[0]) * part
                    pixel[1] += (ink.green - pixel[1]) * part
                    pixel[2] += (ink.blue - pixel[2]) * part
                }
                pixel += 3
                x += 1
            }
            y += 1
        }
    }

    /// The picture as R, G, B, A: all samples times `gain`, with up to `grain` steps of noise.
    func rgba(gain: Float = 1, grain: Float, isGray: Bool = false) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: width * height * 4) { bytes, count in
            var (noise, from, to) = (UInt32(1), samples, bytes.baseAddress!)
            count = width * height * 4
            let end = to + count
            while to < end {
                noise = noise &* 1_664_525 &+ 1_013_904_223
                let added = (Float(noise >> 8) / 8_388_608 - 1) * grain
                let gray = from[0] * 0.3 + from[1] * 0.59 + from[2] * 0.11
                to[0] = byte((isGray ? gray : from[0]) * gain + added)
                to[1] = byte((isGray ? gray : from[1]) * gain + added)
                to[2] = byte((isGray ? gray : from[2]) * gain + added)
                to[3] = 255
                from += 3
                to += 4
            }
        }
    }
}

private func byte(_ sample: Float) -> UInt8 { sample > 0 ? sample < 255 ? UInt8(sample) : 255 : 0 }

private func clamped(_ value: Float, to end: Int) -> Int { value > 0 ? value < Float(end) ? Int(value) : end : 0 }

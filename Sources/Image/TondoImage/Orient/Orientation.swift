/// EXIF orientation: the transformation from the stored to the upright picture (Exif 3.0 section 4.6.5.1.4).
package enum Orientation: Int, Sendable {
    case up = 1
    case upMirrored, down, downMirrored, leftMirrored, right, rightMirrored, left

    /// Rows become columns.
    package var transposes: Bool { rawValue >= 5 }

    /// Stored columns run against the upright direction.
    package var flipsX: Bool { [.upMirrored, .down, .rightMirrored, .left].contains(self) }

    /// Stored rows run against the upright direction.
    package var flipsY: Bool { [.down, .downMirrored, .right, .rightMirrored].contains(self) }

    private init(transposes: Bool, flipsX: Bool, flipsY: Bool) {
        self =
            switch (transposes, flipsX, flipsY) {
            case (false, false, false): .up
            case (false, true, false): .upMirrored
            case (false, true, true): .down
            case (false, false, true): .downMirrored
            case (true, false, false): .leftMirrored
            case (true, false, true): .right
            case (true, true, true): .rightMirrored
            case (true, true, false): .left
            }
    }

    /// This transformation and then `next`.
    func followed(by next: Orientation) -> Orientation {
        Orientation(
            transposes: transposes != next.transposes,
            flipsX: flipsX != (transposes ? next.flipsY : next.flipsX),
            flipsY: flipsY != (transposes ? next.flipsX : next.flipsY))
    }

    /// What turns the oriented picture back to the stored one.
    var inverted: Orientation {
        switch self {
        case .left: .right
        case .right: .left
        // A mirroring, or half a turn, undoes itself.
        default: self
        }
    }

    /// The stored rectangle that corresponds to `seen`, a rectangle of the oriented picture. `stored`: size of the
    /// stored picture in pixels.
    func stored(_ seen: PixelRectangle, in stored: (width: Int, height: Int)) -> PixelRectangle {
        var r = seen
        if transposes {
            r.x = seen.y
            r.y = seen.x
            r.width = seen.height
            r.height = seen.width
        }
        if flipsX { r.x = stored.width - (r.x + r.width) }
        if flipsY { r.y = stored.height - (r.y + r.height) }
        return r
    }

    /// The oriented copy of a square picture of `side` x `side` values.
    func apply<Value>(to image: [Value], side: Int) -> [Value] {
        guard self != .up else { return image }
        return [Value](unsafeUninitializedCapacity: side * side) { target, count in
            for y in 0..<side {
                for x in 0..<side {
                    let (a, b) = transposes ? (y, x) : (x, y)
                    let column = flipsX ? side - 1 - a : a
                    let row = flipsY ? side - 1 - b : b
                    target.initializeElement(at: y * side + x, to: image[row * side + column])
                }
            }
            count = side * side
        }
    }
}

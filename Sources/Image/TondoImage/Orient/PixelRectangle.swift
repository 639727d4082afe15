/// A rectangle of whole pixels; `y` counts from the top.
package struct PixelRectangle: Hashable, Sendable {
    /// Columns to the left of it.
    package var x: Int
    /// Rows above it.
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The part that both have; nil if there is none.
    func intersection(_ other: PixelRectangle) -> PixelRectangle? {
        let (left, top) = (max(x, other.x), max(y, other.y))
        let (right, bottom) = (min(x + width, other.x + other.width), min(y + height, other.y + other.height))
        guard left < right, top < bottom else { return nil }
        return PixelRectangle(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// The largest square in the middle; an odd remainder goes to the right and below.
    var centreSquare: PixelRectangle {
        let side = min(width, height)
        return PixelRectangle(x: x + (width - side) / 2, y: y + (height - side) / 2, width: side, height: side)
    }

    /// The smallest square that holds it, in the middle of which it is.
    var squareAround: PixelRectangle {
        let side = max(width, height)
        return PixelRectangle(x: x - (side - width) / 2, y: y - (side - height) / 2, width: side, height: side)
    }

    /// The largest square at the upper edge, in the middle of it.
    var topSquare: PixelRectangle {
        var square = centreSquare
        square.y = y
        return square
    }
}

/// The part of a photo that its contact shows (`X-ABCROP-RECTANGLE`): pixels of the oriented picture, `y` counted from
/// the *bottom*. It may extend beyond the picture.
package struct CropRectangle: Hashable, Sendable {
    /// Pixels from the left edge of the picture; negative if it begins outside.
    package var x: Int
    /// Pixels from the bottom edge of the picture to that of the crop; negative if it begins outside.
    package var y: Int
    /// Pixels. A crop that shows no pixel of the picture is ignored.
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The crop in a picture of this size counted from the top, clamped to the edges; nil if nothing is left.
    func clamped(to size: (width: Int, height: Int)) -> PixelRectangle? {
        // The numbers come from a vCard: their sums must not overflow.
        let limit = 1 << 30
        guard x.magnitude < limit, y.magnitude < limit, (1..<limit).contains(width), (1..<limit).contains(height) else {
            return nil
        }
        let left = max(x, 0)
        let right = min(x + width, size.width)
        let top = max(size.height - (y + height), 0)
        let bottom = min(size.height - y, size.height)
        guard right > left, bottom > top else { return nil }
        return PixelRectangle(x: left, y: top, width: right - left, height: bottom - top)
    }
}

/// The style of an avatar. Lengths are in points; a point has `scale` pixels.
package struct Style: Hashable, Sendable {
    /// Whether the avatar is selected and has its ring.
    package enum State: String, CaseIterable, Sendable { case normal, selected }

    /// The outline of the picture on its canvas.
    package enum Shape: String, CaseIterable, Sendable {
        case circle, square
        /// All of a photo, whatever its crop: its longer side fills the canvas, on which it is in the middle.
        case whole
    }

    /// The part of a photo that is shown, always a square. A crop that the contact states has precedence.
    package enum Crop: String, CaseIterable, Sendable {
        /// The face; the centre of a photo without one.
        case face
        case centre
        /// The upper end of a photo in portrait format; the centre of other photos.
        case top
    }

    /// The selection ring: a band of `width` inside the canvas edge, a transparent `gap`, then the picture.
    package struct Ring: Hashable, Sendable {
        /// Points.
        package var width: Double
        /// Points.
        package var gap: Double
        /// A transparent colour draws no ring, and keeps its room.
        package var color: RGBA

        /// Lengths in points; `Style.problem` checks them.
        package init(width: Double, gap: Double, color: RGBA) {
            self.width = width
            self.gap = gap
            self.color = color
        }
    }

    /// Side in points, 1...1024.
    package var size: Int
    /// Pixels per point, 1...3.
    package var scale: Int
    /// Selecting an avatar changes this alone.
    package var state: State
    /// Shapes other than circles fill the canvas, and have neither ring nor room for one.
    package var shape = Shape.circle
    /// Nil: no state of this style has a ring, and the picture's circle touches the canvas. With a ring, *both* states
    /// reserve its room, so that selecting an avatar neither moves nor resizes it.
    package var ring: Ring?
    /// Colour behind transparent photos, inside the picture's circle; nil keeps their alpha.
    package var background: RGBA?
    /// Not a part of `canonicalText`, like the format: what it shows depends on the photo, too.
    package var crop = Crop.face
    /// Not a part of `canonicalText`, which describes pixels; a recipe has both.
    package var format = AvatarFormat.png

    /// Checks nothing: a style from a user may be one that `problem` refuses.
    package init(size: Int, scale: Int = 1, state: State = .normal, ring: Ring? = nil, background: RGBA? = nil) {
        self.size = size
        self.scale = scale
        self.state = state
        self.ring = ring
        self.background = background
    }

    /// The permitted sides in points.
    package static let sizes = 1...1024
    /// Pixels per point.
    package static let scales = 1...3
    /// Points, unless a size is chosen.
    package static let usualSize = 96
    /// Pixels per point, unless a scale is chosen.
    package static let usualScale = 1

    /// Why the style cannot be drawn, or nil.
    package var problem: String? {
        guard Self.sizes.contains(size) else { return StyleField.size.rule }
        guard Self.scales.contains(scale) else { return StyleField.scale.rule }
        guard let ring else { return nil }
        guard ring.width >= 0, ring.gap >= 0 else { return "ring width and gap may not be negative" }
        let room = Double(size) - 2 * (ring.width + ring.gap)
        return room >= 0.125 ? nil : "ring and gap leave no room for an avatar of \(size) points"
    }

    /// The ring, else one in proportion to the size. To set it reserves its room.
    package var usualRing: Ring {
        get { ring ?? .suited(to: size) }
        set { ring = newValue }
    }

    /// Side of the canvas in pixels.
    package var side: Int { size * scale }

    /// Pixels between the canvas edge and the picture.
    var inset: Double { shape == .circle ? ring.map { ($0.width + $0.gap) * Double(scale) } ?? 0 : 0 }

    /// Width of the ring's band in pixels; 0 if none is drawn, or an invisible one.
    var band: Double {
        guard shape == .circle, state == .selected, let ring, ring.color.alpha > 0 else { return 0 }
        return ring.width * Double(scale)
    }

    /// The background, unless it is invisible.
    var visibleBackground: RGBA? { background.flatMap { $0.alpha > 0 ? $0 : nil } }

    /// The canonical text of this style's pixels: equal canvases have equal text, different ones different text.
    package var canonicalText: String {
        var text = "side=\(side) inset=\(Self.decimal(inset))"
        for field in StyleField.ofRecipes {
            guard let word = field.recipeWord, let value = field.text(self), value != field.standard else { continue }
            text += " \(word)=\(value)"
        }
        if band > 0, let color = ring?.color { text += " ring=\(Self.decimal(band)) ring-color=\(color.hexadecimal)" }
        return text + " background=\(visibleBackground?.hexadecimal ?? "none")"
    }

    private static func decimal(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : String(value)
    }
}

extension Style.Ring {
    /// The permitted widths and gaps in points, with fractions. Half of the largest size: more leaves no room in any.
    package static let lengths = 0.0...Double(Style.sizes.upperBound / 2)

    /// A ring in proportion to `size` points: 4 wide with a gap of 3 at 96.
    package static func suited(to size: Int, color: RGBA = .selection) -> Style.Ring {
        Style.Ring(width: Double(size) / 24, gap: Double(size) / 32, color: color)
    }
}

extension RGBA {
    /// The blue of a selection.
    package static let selection = RGBA(red: 0x0A, green: 0x84, blue: 0xFF)
}

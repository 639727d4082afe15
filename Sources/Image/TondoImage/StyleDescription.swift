/// A style in the words of people: what the flags of a command, the tables of the configuration and the queries of the
/// service have in common. Its limits and defaults are those of `Style`, `Style.Ring` and `AvatarFormat`.
package struct StyleDescription: Equatable, Sendable {
    /// Points.
    package var size = Style.usualSize
    /// Pixels per point.
    package var scale = Style.usualScale
    package var state = Style.State.normal
    /// Points; nil: in proportion to the size.
    package var ringWidth: Double?
    /// Points; nil: in proportion to the size.
    package var ringGap: Double?
    /// Nil: the colour of a selection.
    package var ringColor: RGBA?
    /// Nil: a transparent photo stays transparent.
    package var background: RGBA?
    package var format = AvatarFormat.png
    /// Another avatar of the same contact shows the ring.
    package var isSelectable = false

    package init() {}

    /// The room of a ring is reserved as soon as one is shown, or described by any word: then it will be shown.
    package var style: Style {
        var style = Style(size: size, scale: scale, state: state, background: background)
        style.format = format
        let isDescribed = ringWidth != nil || ringGap != nil || ringColor != nil
        guard state == .selected || isSelectable || isDescribed else { return style }
        var ring = Style.Ring.suited(to: size, color: ringColor ?? .selection)
        if let ringWidth { ring.width = ringWidth }
        if let ringGap { ring.gap = ringGap }
        style.ring = ring
        return style
    }
}

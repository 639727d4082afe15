package import TondoImage

/// A style of the avatars that a loader loads, and its name.
public struct AvatarStyle: Hashable, Sendable {
    /// Part of every event with an avatar.
    public let name: String
    package let style: Style

    /// Side in points.
    public var size: Int { style.size }
    /// Pixels per point.
    public var scale: Int { style.scale }

    /// A round avatar with `size` x `scale` pixels a side; both are clamped to their ranges, 1...1024 and 1...3.
    ///
    /// `isSelectable`: reserves room for the ring that `isSelected` draws, so that selecting an avatar never moves it.
    public init(
        _ name: String? = nil, size: Int, scale: Int = 1, isSelected: Bool = false, isSelectable: Bool = false
    ) {
        let size = min(max(size, Style.sizes.lowerBound), Style.sizes.upperBound)
        let scale = min(max(scale, Style.scales.lowerBound), Style.scales.upperBound)
        let ring = isSelected || isSelectable ? Style.Ring.suited(to: size) : nil
        self.init(
            Style(size: size, scale: scale, state: isSelected ? .selected : .normal, ring: ring), name: name)
    }

    package init(_ style: Style, name: String? = nil) {
        self.style = style
        self.name = name ?? String(style.size)
    }
}

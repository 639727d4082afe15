package import TondoImage

/// How the faces look that a loader prepares, and what they are called.
public struct AvatarStyle: Hashable, Sendable {
    /// Told with every face.
    public let name: String
    package let style: Style

    /// Points a side.
    public var size: Int { style.size }
    /// Pixels a point.
    public var scale: Int { style.scale }

    /// A round face of `size` x `scale` pixels a side; both are brought into their ranges, 1...1024 and 1...3.
    ///
    /// `isSelectable`: keeps room for the ring that `isSelected` shows, so that selecting a face never moves it.
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

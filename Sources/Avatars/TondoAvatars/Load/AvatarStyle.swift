package import TondoImage

/// A style of the avatars that a loader loads, and its name.
///
/// ```swift
/// let list = AvatarStyle(size: 48)
/// let header = AvatarStyle(size: 128, scale: 2)
/// print(list.name, header.size * header.scale)
/// ```
public struct AvatarStyle: Hashable, Sendable {
    /// The part of a photo that is shown, always a square. A crop that the address book states has precedence.
    public enum Crop: String, Sendable {
        /// The face; the centre of a photo without one, and of every photo where no face is looked for.
        case face
        /// The centre, whatever the photo shows.
        case centre
        /// The upper end of a photo in portrait format; the centre of other photos.
        case top
    }

    /// Part of every event with an avatar.
    public let name: String
    package let style: Style

    /// Side in points.
    public var size: Int { style.size }
    /// Pixels per point.
    public var scale: Int { style.scale }
    /// The part of a photo that is shown.
    public var crop: Crop { Crop(rawValue: style.crop.rawValue) ?? .face }

    /// A round avatar with `size` x `scale` pixels a side; both are clamped to their ranges, 1...1024 and 1...3.
    ///
    /// `isSelectable`: reserves room for the ring that `isSelected` draws, so that selecting an avatar never moves it.
    public init(
        _ name: String? = nil, size: Int, scale: Int = 1, isSelected: Bool = false, isSelectable: Bool = false,
        crop: Crop = .face
    ) {
        var style = Style(
            size: min(max(size, Style.sizes.lowerBound), Style.sizes.upperBound),
            scale: min(max(scale, Style.scales.lowerBound), Style.scales.upperBound),
            state: isSelected ? .selected : .normal)
        style.crop = Style.Crop(rawValue: crop.rawValue) ?? .face
        if isSelected || isSelectable { style.ring = style.usualRing }
        self.init(style, name: name)
    }

    package init(_ style: Style, name: String? = nil) {
        self.style = style
        self.name = name ?? String(style.size)
    }
}

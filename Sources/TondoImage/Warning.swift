/// Something that was wrong with a photo and did not stop it from being drawn.
package enum Warning: Equatable, Sendable, CustomStringConvertible {
    /// The embedded colour profile is unusable; the values are taken as sRGB.
    case profileIgnored(String)
    /// Something beside the picture data is damaged and was left out; libpng says what.
    case metadataIgnored(String)
    /// The file ends early, below the rows the avatar shows.
    case cutShort
    /// The decoder worked around `count` places of damage.
    case damaged(count: Int)

    package var description: String {
        switch self {
        case .profileIgnored(let why): "colour profile ignored: \(why)"
        case .metadataIgnored(let what): "ignored: \(what)"
        case .cutShort: "the file ends early, below what is shown"
        case .damaged(let count): "damaged picture data (\(count) \(count == 1 ? "place" : "places"))"
        }
    }
}

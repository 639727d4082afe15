/// A problem of a photo that did not prevent drawing it.
package enum Warning: Equatable, Sendable, CustomStringConvertible {
    /// The embedded colour profile is unusable; the values are assumed to be sRGB.
    case profileIgnored(String)
    /// Data besides the picture data are damaged and were ignored; libpng's text describes them.
    case metadataIgnored(String)
    /// The file ends early, below the rows that the avatar shows.
    case cutShort
    /// The decoder repaired `count` places of damage.
    case damaged(count: Int)

    package var description: String {
        switch self {
        case .profileIgnored(let why): "colour profile ignored: \(why)"
        case .metadataIgnored(let what): "ignored: \(what)"
        case .cutShort: "the file ends early, below the shown part"
        case .damaged(let count): "damaged image data (\(count) \(count == 1 ? "place" : "places"))"
        }
    }
}

/// How long whoever asks may keep an answer.
package enum CachePolicy: Equatable, Sendable {
    /// The address names the bytes by their key, so they never change.
    case forEver
    /// To be kept, and asked about each time.
    case revalidate
    /// To be kept for so many seconds, then asked about.
    case seconds(Int)
    /// Errors and what is no content: no word about keeping.
    case silent

    package static let year = 31_536_000

    /// For an avatar asked for with `v=asked` (nil without) that is named `key`: only the right key makes it immutable,
    /// since under another one the bytes will be others once the contact changes.
    package init(asked: String?, key: String) { self = asked == key ? .forEver : .revalidate }

    package var value: String? {
        switch self {
        case .forEver: "public, max-age=\(Self.year), immutable"
        case .revalidate: "no-cache"
        case .seconds(let seconds): seconds > 0 ? "max-age=\(seconds)" : "no-cache"
        case .silent: nil
        }
    }
}

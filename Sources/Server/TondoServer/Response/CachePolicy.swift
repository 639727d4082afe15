/// How long clients and proxies may keep a response.
package enum CachePolicy: Equatable, Sendable {
    /// The URL contains the key of the avatar, so the bytes never change.
    case forEver
    /// May be kept, but must be revalidated before each use.
    case revalidate
    /// May be kept for this number of seconds, then must be revalidated.
    case seconds(Int)
    /// Errors and responses without content: no Cache-Control field.
    case silent

    /// Seconds of 365 days.
    package static let year = 31_536_000

    /// For an avatar with the key `key`, requested with `v=requested` (nil without `v`). Only an equal key makes it
    /// immutable: under another key the URL gives other bytes once the contact changes.
    package init(requested: String?, key: String) { self = requested == key ? .forEver : .revalidate }

    /// The value of `Cache-Control` (RFC 9111 5.2.2); nil: the response has no such field.
    package var value: String? {
        switch self {
        case .forEver: "public, max-age=\(Self.year), immutable"
        case .revalidate: "no-cache"
        case .seconds(let seconds): seconds > 0 ? "max-age=\(seconds)" : "no-cache"
        case .silent: nil
        }
    }
}

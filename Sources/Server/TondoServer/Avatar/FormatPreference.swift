internal import TondoImage

/// What a client wants an avatar's bytes to be: the format it names, or what it accepts.
struct FormatPreference: Equatable {
    /// The parameter `format`; nil: not named.
    var named: AvatarFormat.Name?
    /// The client lists WebP among what it accepts.
    var acceptsWebP = false

    /// PNG for clients that do not ask: `*/*` names no format, and mail programs send `image/*` without reading WebP.
    var isWebP: Bool { named.map { $0 == .webp } ?? acceptsWebP }

    /// Other clients may get another format from the same address, so caches must look at `Accept` (RFC 9110 12.5.5).
    var isNegotiated: Bool { named == nil }

    /// Whether this value of `Accept` names `image/webp`, and gives PNG no more weight (RFC 9110 12.4.2 and 12.5.1).
    static func acceptsWebP(_ accept: some StringProtocol) -> Bool {
        var weights: [String: Double] = [:]
        for range in accept.split(separator: ",") {
            let parts = range.split(separator: ";").map { String($0.filter { $0 != " " && $0 != "\t" }).lowercased() }
            weights[parts.first ?? ""] = parts.first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 1 } ?? 1
        }
        guard let webp = weights["image/webp"], webp > 0 else { return false }
        return webp >= weights["image/png"] ?? weights["image/*"] ?? weights["*/*"] ?? 0
    }
}

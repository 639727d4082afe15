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

    /// Whether `image/webp` is in this value of `Accept`, and not refused by q=0 (RFC 9110 12.4.2).
    static func acceptsWebP(_ accept: some StringProtocol) -> Bool {
        accept.split(separator: ",").contains { range in
            var parts = range.split(separator: ";").map { String($0.filter { $0 != " " && $0 != "\t" }).lowercased() }
            guard !parts.isEmpty, parts.removeFirst() == "image/webp" else { return false }
            guard let weight = parts.first(where: { $0.hasPrefix("q=") }) else { return true }
            return weight.dropFirst(2).contains { $0 != "0" && $0 != "." }
        }
    }
}

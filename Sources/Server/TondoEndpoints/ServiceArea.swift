/// The areas that the setting `public` can open to requests from other machines.
///
/// ```swift
/// print(ServiceArea(path: "/v1/contacts/ada/avatar")?.rawValue ?? "not to be opened")
/// ```
package enum ServiceArea: String, CaseIterable, Sendable {
    case viewer, contacts, avatars, photos, events, cache, metrics, webfinger

    /// All names, separated by commas.
    package static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// The paths, for the log and the documentation.
    package var paths: String {
        switch self {
        case .viewer: "/, /phone, /worker.js, /manifest.webmanifest, /viewer/{hash}/{name}, /v1/session"
        case .contacts:
            "/v1/contacts, /v1/contacts/{id}, /v1/contacts/{id}/cards, /v1/contacts/{id}/qr, /v1/cards, /v1/sections, /v1/groups"
        case .avatars:
            "/v1/contacts/{id}/avatar, /v1/contacts/{id}/crop; with contacts: /v1/avatars, /v1/contacts/{id}/vcard"
        case .photos: "/v1/contacts/{id}/photo"
        case .events: "/v1/events"
        case .cache: "/v1/cache"
        case .metrics: "/v1/jobs, /metrics"
        case .webfinger: "/.well-known/webfinger"
        }
    }

    /// Nil for a path that cannot be opened, and for one without a route.
    package init?(path: some StringProtocol) {
        let parts = Array(String(path).split(separator: "/", omittingEmptySubsequences: false).dropFirst())
        switch (parts.first, parts.dropFirst().first) {
        case ("", nil), ("phone", nil), ("worker.js", nil), ("manifest.webmanifest", nil): self = .viewer
        case ("viewer", _) where parts.count == 3: self = .viewer
        case ("v1", "session") where parts.count == 2: self = .viewer
        case ("metrics", nil): self = .metrics
        case (".well-known", "webfinger") where parts.count == 2: self = .webfinger
        case ("v1", "jobs") where parts.count == 2: self = .metrics
        case ("v1", "events") where parts.count == 2: self = .events
        case ("v1", "sections") where parts.count == 2: self = .contacts
        case ("v1", "groups") where parts.count == 2: self = .contacts
        case ("v1", "cache"): self = .cache
        case ("v1", "contacts") where parts.count <= 3: self = .contacts
        case ("v1", "contacts") where 4...6 ~= parts.count && parts[3] == "cards": self = .contacts
        case ("v1", "cards") where parts.count <= 4: self = .contacts
        case ("v1", "contacts") where parts.count == 4 && ["qr", "vcard"].contains(parts[3]): self = .contacts
        case ("v1", "contacts") where parts.count == 4 && ["avatar", "crop"].contains(parts[3]): self = .avatars
        // An avatar does not open it: all of a photo shows more.
        case ("v1", "contacts") where parts.count == 4 && parts[3] == "photo": self = .photos
        default: return nil
        }
    }

    /// The areas that have to be open for a path; none if it cannot be opened.
    package static func needed(for path: some StringProtocol) -> [ServiceArea] {
        // Its avatars are chosen by ids, which a list has.
        if path == "/v1/avatars" { return [.contacts, .avatars] }
        guard let area = ServiceArea(path: path) else { return [] }
        // A card has the photo, too.
        return area == .contacts && path.hasSuffix("/vcard") && path != "/v1/contacts/vcard"
            ? [area, .avatars] : [area]
    }

    /// Always open: the purpose of a Gravatar server, the checks of a load balancer, and what is requested unasked.
    package static func isAlwaysOpen(_ path: some StringProtocol) -> Bool {
        path == "/healthz" || path == "/readyz" || isAvatar(path) || isUnasked(path)
    }

    /// Browsers request the one, and search engines the other, whatever a page says.
    package static func isUnasked(_ path: some StringProtocol) -> Bool {
        path == "/favicon.ico" || path == "/robots.txt"
    }

    /// Where the avatar of a mail address is.
    package static func isWebFinger(_ path: some StringProtocol) -> Bool { path == "/.well-known/webfinger" }

    /// An avatar by the hash of a mail address.
    package static func isAvatar(_ path: some StringProtocol) -> Bool {
        let start = "/avatar/"
        return path.hasPrefix(start) && !path.dropFirst(start.count).contains("/")
    }
}

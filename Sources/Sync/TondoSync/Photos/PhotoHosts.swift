internal import TondoMirror

/// From where the photos of a book may come. A redirect must lead there, too.
package struct PhotoHosts: Equatable, Sendable {
    /// `HOST`, in lower case, or `HOST:PORT`.
    private var hosts: Set<String> = []
    /// The servers of mirrors.
    private var origins: Set<WebURL.Origin> = []
    /// Every host of the public internet.
    package private(set) var isAny = false

    package init() {}

    /// `words`: names of hosts, `same-origin` for the server of a mirror, and `any`. `server`: the mirror's URL.
    package init(words: [String], server: String = "") {
        for word in words {
            switch word.lowercased() {
            case "any": isAny = true
            case "same-origin": if let url = WebURL(server) { origins.insert(url.origin) }
            default: hosts.insert(word.lowercased())
            }
        }
    }

    /// No photo may be fetched at all.
    package var isEmpty: Bool { hosts.isEmpty && origins.isEmpty && !isAny }

    /// A host without a port means the port of the URL's scheme. Whether plain http is permitted is not decided here.
    package func permits(_ url: WebURL) -> Bool {
        let origin = url.origin
        if isAny || origins.contains(origin) { return true }
        let isStandard = origin.port == (origin.isSecure ? 443 : 80)
        return isStandard && hosts.contains(origin.host) || hosts.contains("\(origin.host):\(origin.port)")
    }

    /// Permits what either of both permits.
    package mutating func formUnion(_ other: PhotoHosts) {
        hosts.formUnion(other.hosts)
        origins.formUnion(other.origins)
        isAny = isAny || other.isAny
    }
}

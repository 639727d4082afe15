internal import FoundationEssentials
package import TondoMirror

/// What a client proves its user with. They are sent to one origin only.
package struct Credentials: Sendable {
    package enum Scheme: Sendable { case basic, digest, bearer }

    package let origin: WebURL.Origin
    package let user: String
    package var secret: Secret
    package var scheme: Scheme
    /// Whether the scheme follows a challenge of the server.
    package let adapts: Bool

    package init(
        _ origin: WebURL.Origin, user: String, secret: Secret, _ authentication: SyncSource.Authentication
    ) {
        self.origin = origin
        self.user = user
        self.secret = secret
        adapts = authentication == .auto
        switch authentication {
        case .digest: scheme = .digest
        case .bearer: scheme = .bearer
        case .auto, .basic, .external, .none: scheme = .basic
        }
    }

    /// The field of a request that is sent without a challenge (RFC 7617, RFC 6750); nil: libcurl makes it.
    var authorization: String? {
        switch scheme {
        case .basic: "Basic " + Data("\(user):\(secret.reveal())".utf8).base64EncodedString()
        case .bearer: "Bearer \(secret.reveal())"
        case .digest: nil
        }
    }

    /// Changes the scheme after a 401; false: the server refuses the user.
    mutating func adapt(to headers: HTTPHeaders) -> Bool {
        let schemes = headers.all("www-authenticate").map { $0.lowercased() }
        guard adapts, scheme == .basic, schemes.contains(where: { $0.hasPrefix("digest") || $0.contains(", digest") })
        else { return false }
        scheme = .digest
        return true
    }
}

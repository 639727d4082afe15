internal import FoundationEssentials
package import TondoMirror

/// What a client proves its user with. They are sent to one origin only.
package struct Credentials: Sendable {
    /// The schemes that a request can carry (RFC 7617, RFC 7616, RFC 6750).
    package enum Scheme: Sendable { case basic, digest, bearer }

    /// The only origin that gets them, but for those that `Origin.shares` and `HTTPClient.trust` permit.
    package let origin: WebURL.Origin
    /// May be empty for a bearer token, which names its user itself.
    package let user: String
    /// A bearer token is replaced once in the life of a client, see `HTTPClient.Options.renew`.
    package var secret: Secret
    /// What the next request is sent with; a challenge may change it, see `adapts`.
    package var scheme: Scheme
    /// Whether the scheme follows a challenge of the server.
    package let adapts: Bool

    /// `auto` begins with Basic, which is sent without a challenge.
    package init(origin: WebURL.Origin, user: String, secret: Secret, authentication: SyncSource.Authentication) {
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

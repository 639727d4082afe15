/// How to connect to a directory, and as who.
package struct DirectoryServer: Sendable {
    /// How the connection binds (RFC 4513 section 5).
    package enum Identity: Sendable {
        case anonymous
        /// `name`: a distinguished name, or what else the server takes, such as `ada@example.org`.
        case simple(name: String, password: [UInt8])
        /// The user of the process on a Unix socket.
        case external
    }

    /// The connection uses its scheme, host and port alone.
    package var url: LDAPURL
    /// Never sent over a connection that `refusal` refuses.
    package var identity = Identity.anonymous
    /// Encrypts a connection of `ldap` before the bind (RFC 4511 section 4.14); other schemes ignore it.
    package var startsTLS = false
    /// Permits a connection without TLS, and certificates that are not trusted.
    package var isInsecure = false
    /// A file of certificates in PEM; nil: the system's.
    package var authorities: String?
    /// The longest time of connecting, and of the silence between two messages.
    package var seconds = 60

    /// Anonymous, with the system's certificates.
    package init(_ url: LDAPURL) { self.url = url }

    /// What the process must not do in silence; nil: nothing. The connection is encrypted, local, or `isInsecure`.
    package var refusal: LDAPError? {
        let isEncrypted = url.scheme == .ldaps || startsTLS
        return isEncrypted || url.isLocal || isInsecure ? nil : .plain(server: url.server)
    }
}

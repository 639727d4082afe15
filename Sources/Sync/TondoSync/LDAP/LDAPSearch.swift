internal import TondoText

/// A request for entries.
package struct LDAPSearch: Equatable, Sendable {
    /// How the server delivers the entries.
    package enum Method: Equatable, Sendable {
        case plain
        /// Entries of a page (RFC 2696). Active Directory refuses more than 1,000.
        case paged(Int)
        /// `cookie`: of the synchronisation before; empty: none (RFC 4533).
        case sync(cookie: [UInt8])
    }

    /// The distinguished name (RFC 4514) below which is searched; empty: the root of the directory.
    package var base: String
    /// How far below the base entries may lie.
    package var scope: LDAPURL.Scope
    /// As in RFC 4515, in its parentheses; escaped already.
    package var filter: String
    /// Names of the attributes to return; empty: all user attributes (RFC 4511 section 4.5.1.8).
    package var attributes: [String]
    /// Plain answers may end at the server's size limit, which throws `LDAPError.sizeLimit`.
    package var method = Method.plain

    package init(base: String, scope: LDAPURL.Scope, filter: String, attributes: [String], method: Method = .plain) {
        self.base = base
        self.scope = scope
        self.filter = filter
        self.attributes = attributes
        self.method = method
    }

    /// Bytes in a filter (RFC 4515 section 3).
    static func octets(_ value: [UInt8]) -> String { value.map { "\\" + Hex.text([$0]) }.joined() }
}

/// The successful end of an answer.
package struct LDAPAnswer: Equatable, Sendable {
    /// Entries that were delivered.
    package var entries = 0
    /// For the next synchronisation; empty: none.
    package var cookie: [UInt8] = []
    /// See `RefreshPhases`; nil: the server did not synchronise.
    package var refreshDeletes: Bool?
}

internal import TondoText

/// A request for entries.
package struct LDAPSearch: Equatable, Sendable {
    package enum Method: Equatable, Sendable {
        case plain
        /// Entries of a page (RFC 2696). Active Directory refuses more than 1,000.
        case paged(Int)
        /// `cookie`: of the synchronisation before; empty: none (RFC 4533).
        case sync(cookie: [UInt8])
    }

    package var base: String
    package var scope: LDAPURL.Scope
    package var filter: String
    package var attributes: [String]
    package var method = Method.plain

    package init(
        base: String, scope: LDAPURL.Scope, filter: String, attributes: [String], method: Method = .plain
    ) {
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

/// What the status of a `sync-collection` report means.
package enum SyncAnswer: Equatable, Sendable {
    case listed
    /// Another part follows, from this token on.
    case continued(token: String)
    /// The token is unknown, or a part does not advance: everything has to be listed.
    case tokenRejected
    /// The server has no such report.
    case unsupported
    case refused

    /// `token`: the one that was sent, empty for none. `returned`: of the answer. `seen`: the tokens of earlier parts.
    package init(status: Int, token: String, returned: String?, isPartial: Bool, seen: Set<String>) {
        switch status {
        case 207 where returned == nil: self = .unsupported
        case 207 where !isPartial: self = .listed
        case 207:
            let next = returned ?? ""
            self = next == token || seen.contains(next) ? .tokenRejected : .continued(token: next)
        // RFC 6578 has 403 with valid-sync-token, and 507 for too many changes; Xandikos answers 412, fruux 415, Google 400, and
        // ownCloud 404 for a book that is there: a listing decides whether it is.
        case 400, 403, 404, 409, 410, 412, 415, 507: self = token.isEmpty ? .unsupported : .tokenRejected
        case 405, 501, 422: self = .unsupported
        default: self = .refused
        }
    }
}

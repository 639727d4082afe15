internal import TondoDigest
internal import TondoText

/// What a mirror remembers of its directory, in the attributes of its state.
struct LDAPMemory: Equatable {
    /// The cookie of the synchronisation (RFC 4533); empty: none.
    var cookie: [UInt8] = []
    /// The latest change that was seen, by the server's clock; nil: unknown.
    var since: GeneralizedTime?
    /// When all was compared last, in seconds since 1970.
    var full = 0
    /// The request that this memory belongs to: another request starts again.
    private let request: String

    /// All is compared once in so many seconds, whatever the server reports as changed.
    private static let week = 7 * 86_400

    /// The version of the mapping to cards: a new one writes all cards again.
    private static let mapping = "2"

    init(attributes: [String: String], source: LDAPURL, user: String?) {
        let words =
            [Self.mapping, source.server, source.base, source.filter ?? "", "\(source.scope)", user ?? ""]
            + source.attributes
        request = String(SHA256Digest(of: words.joined(separator: "\n").utf8).hexadecimal.prefix(32))
        guard attributes["request"] == request else { return }
        cookie = attributes["cookie"].flatMap { Hex.bytes($0.utf8) } ?? []
        since = attributes["since"].flatMap { GeneralizedTime($0) }
        full = attributes["full"].flatMap { Int($0) } ?? 0
    }

    var attributes: [String: String] {
        var attributes = ["request": request, "full": "\(full)"]
        if !cookie.isEmpty { attributes["cookie"] = Hex.text(cookie) }
        attributes["since"] = since?.text(fraction: false)
        return attributes
    }

    /// A clock that went back is no reason to wait longer.
    func isDue(_ now: Int) -> Bool { now - full >= Self.week || now < full }
}

internal import NIOHTTP1
internal import SystemPackage
internal import TondoDigest
package import TondoFiles

/// The secret that permits a client to change data, from a file that only its owner can read.
package struct AccessToken: Equatable, Sendable {
    /// Why a file gives no token.
    package typealias Failure = SecretFile.Failure

    /// A digest has the same length for every token, and the secret itself does not stay in memory.
    private let digest: SHA256Digest

    /// Characters of a token, each of them visible ASCII.
    package static let lengths = 32...512

    init?(_ text: String) {
        guard Self.lengths ~= text.utf8.count, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        digest = SHA256Digest(of: text.utf8)
    }

    /// Reads the file. Its mode must be 0600 or stricter, and its owner the user of the process or the superuser.
    package init(file: String) throws(Failure) {
        guard let token = AccessToken(try SecretFile.line(of: FilePath(file), Self.lengths)) else { throw .malformed }
        self = token
    }

    /// 401, with `WWW-Authenticate: Bearer` (RFC 9110 11.6.1).
    package static let problem = ProblemDetails(
        .unauthorized, code: "token-needed", detail: "This request needs the access token of the service.")

    /// Whether an `Authorization` of `value` contains the token, as `Bearer TOKEN` (RFC 6750 2.1). The time does not
    /// depend on where the two differ.
    package func isHeld(by value: String?) -> Bool {
        guard let token = Self.bearer(value) else { return false }
        return ConstantTime.areEqual(digest.bytes, other: SHA256Digest(of: token.utf8).bytes)
    }

    /// The token in an `Authorization` of `value`; nil if it has none, or a longer one than any token.
    static func bearer(_ value: String?) -> Substring? {
        // "Bearer " and the longest token. A longer value is refused before it is hashed.
        guard let value, value.utf8.count <= lengths.upperBound + 7 else { return nil }
        return value.prefix(7).lowercased() == "bearer " ? value.dropFirst(7) : nil
    }
}

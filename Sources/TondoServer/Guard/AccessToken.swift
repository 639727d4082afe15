internal import Crypto
internal import Glibc
internal import NIOHTTP1
internal import SystemPackage

/// The secret that lets a client change something, from a file only its owner may read.
package struct AccessToken: Sendable {
    package enum Failure: Error, Equatable {
        /// `reason` is the system's.
        case unreadable(reason: String)
        /// Others than its owner may read or write it, or it is not the service's own.
        case exposed
        /// Not a regular file, not one line, or not 32 to 512 visible characters.
        case malformed
    }

    /// Equally long whatever is compared, and no secret to lie about in memory.
    private let digest: SHA256.Digest

    package static let lengths = 32...512

    init?(_ text: String) {
        guard Self.lengths ~= text.utf8.count, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        digest = SHA256.hash(data: Array(text.utf8))
    }

    /// Reads the file, whose mode has to be 0600 or less and whose owner we are, or the superuser.
    package init(file: String) throws(Failure) {
        // No symbolic link is followed, and a pipe does not make us wait.
        let descriptor = open(file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        guard let status = try? FileDescriptor(rawValue: descriptor).stat() else {
            throw .unreadable(reason: String(cString: strerror(errno)))
        }
        guard status.type == .regular else { throw .malformed }
        let others = FilePermissions(rawValue: 0o077)
        guard status.permissions.isDisjoint(with: others), [geteuid(), 0].contains(status.userID.rawValue) else {
            throw .exposed
        }
        var bytes = [UInt8](repeating: 0, count: Self.lengths.upperBound + 2)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw .unreadable(reason: String(cString: strerror(errno))) }
        var text = bytes.prefix(count)
        if text.last == 0x0A { text.removeLast() }
        guard let token = AccessToken(String(decoding: text, as: UTF8.self)) else { throw .malformed }
        self = token
    }

    package static let problem = ProblemDetails(
        .unauthorized, code: "token-needed", detail: "This needs the service's token.")

    /// Whether an `Authorization` of `value` holds the token, as `Bearer TOKEN` (RFC 6750 2.1). Takes the same time
    /// wherever the two differ.
    package func isHeld(by value: String?) -> Bool {
        guard let value, value.utf8.count <= Self.lengths.upperBound + 7 else { return false }
        guard value.prefix(7).lowercased() == "bearer " else { return false }
        let other = SHA256.hash(data: Array(value.dropFirst(7).utf8))
        var difference: UInt8 = 0
        for (one, two) in zip(digest, other) { difference |= one ^ two }
        return difference == 0
    }
}

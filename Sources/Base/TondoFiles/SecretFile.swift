internal import Glibc
package import SystemPackage

/// A file with one line of secret text, which its owner alone may read.
package enum SecretFile {
    /// Why there is no secret. No case holds a part of the file's text, so each may be logged.
    package enum Failure: Error, Equatable {
        /// `reason`: the text of the system error.
        case unreadable(reason: String)
        /// Other users can read or write it, or it belongs to another user than that of the process or the superuser.
        case exposed
        /// Not a regular file, not one line, or another number of visible ASCII characters than permitted.
        case malformed
    }

    /// The line. The file's mode must be 0600 or stricter. Follows no symbolic link, and does not block on a pipe.
    package static func line(of file: FilePath, _ lengths: ClosedRange<Int>) throws(Failure) -> String {
        let descriptor = open(file.string, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
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
        // Room for the line end, and for one byte that shows a longer file.
        var bytes = [UInt8](repeating: 0, count: lengths.upperBound + 2)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw .unreadable(reason: String(cString: strerror(errno))) }
        var text = bytes.prefix(count)
        if text.last == 0x0A { text.removeLast() }
        guard lengths ~= text.count, text.allSatisfy({ 0x21...0x7E ~= $0 }) else { throw .malformed }
        return String(decoding: text, as: UTF8.self)
    }
}

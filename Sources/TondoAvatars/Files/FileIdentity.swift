internal import Glibc
package import SystemPackage

/// The identity of a file: device and inode, so that two names of one file compare equal.
package struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    private let inode: UInt64

    /// Follows links; nil if nothing exists there.
    package init?(_ path: FilePath) {
        guard let status = FileStatus(path) else { return nil }
        self = status.identity
    }

    init(_ raw: stat) { (device, inode) = (UInt64(raw.st_dev), UInt64(raw.st_ino)) }
}

/// The result of `stat`, which follows links.
package struct FileStatus {
    package enum Kind: Sendable { case regular, folder, other }

    package let kind: Kind
    let identity: FileIdentity
    /// Bytes.
    let size: Int

    /// Nil if nothing exists there.
    package init?(_ path: FilePath) {
        var raw = stat()
        guard path.withPlatformString({ stat($0, &raw) }) == 0 else { return nil }
        self.init(raw)
    }

    init?(_ descriptor: FileDescriptor) {
        var raw = stat()
        guard fstat(descriptor.rawValue, &raw) == 0 else { return nil }
        self.init(raw)
    }

    /// Whether the path itself is a link.
    static func isLink(_ path: FilePath) -> Bool {
        var raw = stat()
        return path.withPlatformString { lstat($0, &raw) } == 0 && raw.st_mode & S_IFMT == S_IFLNK
    }

    private init(_ raw: stat) {
        kind =
            switch raw.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            default: .other
            }
        identity = FileIdentity(raw)
        size = Int(raw.st_size)
    }
}

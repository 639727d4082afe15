package import Glibc
package import SystemPackage

/// The identity of a file: device and inode, so that two names of one file compare equal.
package struct FileIdentity: Hashable, Sendable {
    /// The number of the file system (st_dev of stat(2)).
    package let device: UInt64
    /// Unique in its file system while the file exists; a later file may get this number again.
    package let inode: UInt64

    /// Follows links; nil if there is no file.
    package init?(_ path: FilePath) {
        guard let status = FileStatus(path) else { return nil }
        self = status.identity
    }

    package init(_ raw: stat) {
        device = UInt64(raw.st_dev)
        inode = UInt64(raw.st_ino)
    }
}

/// The result of stat(2).
package struct FileStatus: Equatable, Sendable {
    /// `link`: only if links are not followed.
    package enum Kind: Sendable { case regular, folder, link, other }

    /// Sockets, pipes and devices are `other`.
    package let kind: Kind
    /// Stays through a rename, and changes when another file replaces this one.
    package let identity: FileIdentity
    /// Bytes.
    package let size: Int
    /// Permission bits.
    package let mode: UInt32
    /// The number of its names.
    package let links: Int
    /// The last change of its bytes, in nanoseconds since 1970.
    package let modified: Int
    /// The last change of its bytes, its names or its permissions, in nanoseconds since 1970.
    package let changed: Int

    package var inode: UInt64 { identity.inode }

    /// Nil if there is no file.
    ///
    /// ```swift
    /// if let status = FileStatus(path), status.kind == .regular { print(status.size) }
    /// ```
    package init?(_ path: FilePath, followingLinks: Bool = true) {
        var raw = stat()
        guard path.withPlatformString({ followingLinks ? stat($0, &raw) : lstat($0, &raw) }) == 0 else { return nil }
        self.init(raw)
    }

    /// Nil if nothing has this name, or if a link leads nowhere. Throws what else keeps the status from being read, such
    /// as a folder that must not be searched.
    package static func found(at path: FilePath, followingLinks: Bool = true) throws(Errno) -> FileStatus? {
        var raw = stat()
        let code = path.withPlatformString { (followingLinks ? stat($0, &raw) : lstat($0, &raw)) == 0 ? 0 : errno }
        if code == 0 { return FileStatus(raw) }
        let error = Errno(rawValue: code)
        if [.noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels].contains(error) { return nil }
        throw error
    }

    /// Reads the status of an open file (fstat(2)), which may have no name any more.
    package init(_ descriptor: FileDescriptor) throws(Errno) {
        var raw = stat()
        if fstat(descriptor.rawValue, &raw) != 0 { throw Errno(rawValue: errno) }
        self.init(raw)
    }

    package init(_ raw: stat) {
        kind =
            switch raw.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        identity = FileIdentity(raw)
        size = Int(raw.st_size)
        mode = UInt32(raw.st_mode & 0o7777)
        links = Int(raw.st_nlink)
        modified = raw.st_mtim.nanoseconds
        changed = raw.st_ctim.nanoseconds
    }

    /// The path itself is a link.
    package static func isLink(_ path: FilePath) -> Bool { FileStatus(path, followingLinks: false)?.kind == .link }

    /// Whether this is the same file with the same bytes, under any name.
    package func isSame(as other: FileStatus) -> Bool {
        identity == other.identity && size == other.size && modified == other.modified
    }
}

extension timespec {
    /// Nanoseconds since 1970, for a time of a file; correct up to the year 2262.
    package var nanoseconds: Int { tv_sec &* 1_000_000_000 &+ tv_nsec }
}

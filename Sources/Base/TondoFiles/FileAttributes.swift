internal import CLinux
internal import Glibc
package import SystemPackage

/// What a file has beside its bytes and names: owner, group, permissions, access list and the attributes of its owner.
/// A file that replaces another one, or comes back in its place, takes them over.
package struct FileAttributes: Equatable, Sendable {
    /// Permission bits; with an access list, those of the group are its mask (acl(5)).
    package var mode: Int
    /// The largest number: unknown.
    package var user: UInt32
    /// The number of the group; the largest number: unknown.
    package var group: UInt32
    /// The access list and the `user.` attributes (xattr(7)), by their names.
    package var extended: [String: [UInt8]] = [:]

    package init(mode: Int, user: UInt32, group: UInt32, extended: [String: [UInt8]] = [:]) {
        self.mode = mode
        self.user = user
        self.group = group
        self.extended = extended
    }

    /// Reads the attributes of an open file. An extended attribute that cannot be read is left out.
    package init(_ file: FileDescriptor) throws(Errno) {
        var status = stat()
        if fstat(file.rawValue, &status) != 0 { throw Errno(rawValue: errno) }
        self.init(mode: Int(status.st_mode & 0o777), user: status.st_uid, group: status.st_gid)
        for name in Self.names(of: file) where Self.isKept(name) { extended[name] = Self.value(of: name, file) }
    }

    /// The kernel's name of the access list, whose value is binary.
    package static let accessList = "system.posix_acl_access"

    /// Others, such as `security.`, belong to the system, which gives each new file its own.
    package static func isKept(_ name: String) -> Bool { name == accessList || name.hasPrefix("user.") }

    /// For a file that this process created. As far as it is permitted: only root can give a file away. Where the group
    /// or the access list cannot be kept, the group gets no more than all others have.
    package func apply(to file: FileDescriptor) throws(Errno) {
        // Before the mode, which may forbid it.
        for (name, value) in extended where name.hasPrefix("user.") { _ = Self.set(name, to: value, of: file) }
        let isWhole = keepsGroup(of: file) && keepsAccessList(of: file)
        let bits = isWhole ? mode : modeForOtherGroup
        if fchmod(file.rawValue, mode_t(bits & 0o777)) != 0 { throw Errno(rawValue: errno) }
    }

    /// For a file of another group: its members may do no more than all others.
    var modeForOtherGroup: Int { mode & ~0o070 | mode & (mode & 0o007) << 3 }

    private func keepsGroup(of file: FileDescriptor) -> Bool {
        if fchown(file.rawValue, user, group) == 0 { return true }
        // The group may be one of the process's groups.
        // The largest number leaves the owner as it is (chown(2)).
        return fchown(file.rawValue, uid_t.max, group) == 0
    }

    /// A new file may have inherited a list from its folder; the mode alone would open it to the users of that list.
    private func keepsAccessList(of file: FileDescriptor) -> Bool {
        if let list = extended[Self.accessList] { return Self.set(Self.accessList, to: list, of: file) }
        return clinux_fremovexattr(file.rawValue, Self.accessList) == 0 || [ENODATA, ENOTSUP].contains(errno)
    }

    private static func set(_ name: String, to value: [UInt8], of file: FileDescriptor) -> Bool {
        value.withUnsafeBytes { clinux_fsetxattr(file.rawValue, name, $0.baseAddress, $0.count) == 0 }
    }

    private static func names(of file: FileDescriptor) -> [String] {
        let list = filled { clinux_flistxattr(file.rawValue, $0?.assumingMemoryBound(to: CChar.self), $1) } ?? []
        return list.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func value(of name: String, _ file: FileDescriptor) -> [UInt8]? {
        filled { clinux_fgetxattr(file.rawValue, name, $0, $1) }
    }

    /// The result of a call that returns its size. Nil if it fails, or if another program makes it longer meanwhile.
    private static func filled(_ call: (UnsafeMutableRawPointer?, Int) -> Int) -> [UInt8]? {
        let size = call(nil, 0)
        if size <= 0 { return size == 0 ? [] : nil }
        var bytes = [UInt8](repeating: 0, count: size)
        let count = bytes.withUnsafeMutableBytes { call($0.baseAddress, $0.count) }
        return count < 0 ? nil : Array(bytes.prefix(count))
    }
}

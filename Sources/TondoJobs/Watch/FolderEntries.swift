internal import Glibc

/// The entries of one folder, in no order. Links are not followed.
enum FolderEntries {
    struct Failure: Error { let errno: Int32 }

    /// `path` ends with a zero.
    static func list(_ path: [CChar]) throws(Failure) -> [WatchTree.Entry] {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(errno: errno) }
        guard let folder = fdopendir(descriptor) else {
            let number = errno
            close(descriptor)
            throw Failure(errno: number)
        }
        defer { closedir(folder) }
        var entries: [WatchTree.Entry] = []
        while true {
            errno = 0
            guard let entry = readdir(folder) else { break }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name == [46] || name == [46, 46] { continue }
            let kind = kind(entry.pointee.d_type, name, in: descriptor)
            entries.append(.init(name: name, isFolder: kind == DT_DIR, isLink: kind == DT_LNK))
        }
        guard errno == 0 else { throw Failure(errno: errno) }
        return entries
    }

    /// Some file systems do not return the type along with the name.
    private static func kind(_ kind: UInt8, _ name: [UInt8], in folder: Int32) -> Int {
        if Int(kind) != DT_UNKNOWN { return Int(kind) }
        var status = stat()
        let path = (name + [0]).map { CChar(bitPattern: $0) }
        guard fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return DT_UNKNOWN }
        return [S_IFDIR: DT_DIR, S_IFLNK: DT_LNK][status.st_mode & S_IFMT] ?? DT_REG
    }
}

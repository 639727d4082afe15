internal import Glibc
internal import SystemPackage

/// The resolution of a path: every link on the way, and its end. Absolute paths as bytes, without a final zero; empty:
/// `/`.
struct LinkPath {
    /// In their order; the folders above each are not links.
    private(set) var links: [[UInt8]] = []
    /// Nil if something is missing on the way, or too many links follow each other.
    private(set) var end: [UInt8]?
    /// The folder without the next name.
    private(set) var gap: [UInt8]?

    /// The kernel's limit: path_resolution(7).
    private static let longest = 40
    private static let slash = UInt8(ascii: "/")

    /// `path`: relative to `start`, which is not a link, unless it begins with a slash.
    init(_ path: [UInt8], from start: [UInt8]) {
        var here = path.first == Self.slash ? [] : start
        var rest = Self.names(of: path)
        while let name = rest.popLast() {
            if name == [UInt8(ascii: "."), UInt8(ascii: ".")] {
                // No name in `here` is a link, so its last one may be dropped as text.
                here.removeSubrange((here.lastIndex(of: Self.slash) ?? 0)...)
                continue
            }
            let next = here + [Self.slash] + name
            switch Self.kind(of: next) {
            case nil:
                gap = here
                return
            case S_IFLNK:
                guard links.count < Self.longest, let target = Self.target(of: next) else { return }
                links.append(next)
                if target.first == Self.slash { here = [] }
                rest += Self.names(of: target)
            default: here = next
            }
        }
        end = here
    }

    /// The last name first.
    private static func names(of path: [UInt8]) -> [[UInt8]] {
        path.split(separator: slash).map { Array($0) }.filter { $0 != [UInt8(ascii: ".")] }.reversed()
    }

    /// The type of `path` itself; nil if it does not exist.
    static func kind(of path: [UInt8]) -> mode_t? {
        var status = stat()
        return lstat(path.terminated, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    private static func target(of path: [UInt8]) -> [UInt8]? {
        FilePath(platformString: path.terminated).linkTarget?.bytes
    }
}

extension [UInt8] {
    /// The path as a C string.
    var terminated: [CChar] { (isEmpty ? [UInt8(ascii: "/")] : self).map { CChar(bitPattern: $0) } + [0] }
}

/// The entries of one folder, in no order. Links are not followed.
enum FolderEntries {
    /// `path` ends with a zero.
    static func list(_ path: [CChar]) throws(Errno) -> [WatchTree.Entry] {
        let folder = try Folder(unlinked: path)
        var entries: [WatchTree.Entry] = []
        try folder.forEachNameOnce { name, type in
            let kind = kind(of: type, named: name, in: folder)
            let bytes = [UInt8](UnsafeRawBufferPointer(start: name, count: strlen(name)))
            entries.append(.init(name: bytes, isFolder: kind == .folder, isLink: kind == .link))
        }
        return entries
    }

    /// Some file systems do not store the kind with the name.
    private static func kind(of type: UInt8, named name: UnsafePointer<CChar>, in folder: Folder) -> FileStatus.Kind? {
        switch Int(type) {
        case DT_DIR: .folder
        case DT_LNK: .link
        case DT_UNKNOWN: try? folder.status(name)?.kind
        default: .other
        }
    }
}

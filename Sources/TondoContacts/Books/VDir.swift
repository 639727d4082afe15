internal import Glibc
package import SystemPackage

/// A vdir: a folder of folders ("collections") of items, one card per file, as vdirsyncer keeps them.
///
/// Items are files that end in `.vcf`, in any letter case. Hidden names, and the `.tmp` files of writers that rename,
/// are not items. Links are followed as long as they stay inside the folder; nothing is listed twice, and a target with
/// a name of its own is not listed under the name of a link.
package struct VDir: Sendable {
    /// Relative to the folder, in the order of their paths' bytes, so that every run sees the same order.
    package private(set) var items: [FilePath] = []
    /// Sub-folders that could not be read.
    package private(set) var failures: [ContactFailure] = []
    private var seen: Set<Identity> = []
    /// Links, to be followed after everything else is listed.
    private var links: [(path: FilePath, place: FilePath)] = []

    private struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64
    }

    package init(_ folder: FilePath) throws(ContactsError) {
        guard let root = Self.resolved(folder) else { throw .unreadable(Errno(rawValue: errno)) }
        let stream = try Self.opened(folder)
        _ = admit(root)
        list(stream, folder, below: FilePath(""))
        while let link = links.popLast() {
            if let target = Self.resolved(link.path), target.starts(with: root) { take(target, as: link.place) }
        }
        items = items.map { ($0.withPlatformString { Array(UnsafeBufferPointer(start: $0, count: strlen($0))) }, $0) }
            .sorted { $0.0.lexicographicallyPrecedes($1.0) { UInt8(bitPattern: $0) < UInt8(bitPattern: $1) } }
            .map(\.1)
    }

    /// Closes `stream` before it enters sub-folders: deep trees would exhaust the descriptors.
    private mutating func list(_ stream: OpaquePointer, _ folder: FilePath, below relative: FilePath) {
        let names = Self.names(in: stream)
        closedir(stream)
        for name in names { take(folder.appending(name), as: relative.appending(name)) }
    }

    private mutating func take(_ path: FilePath, as place: FilePath) {
        switch admit(path) {
        case S_IFLNK: links.append((path, place))
        case S_IFDIR: enter(path, as: place)
        case S_IFREG where place.extension?.lowercased() == "vcf": items.append(place)
        default: break
        }
    }

    private mutating func enter(_ folder: FilePath, as place: FilePath) {
        do throws(ContactsError) {
            list(try Self.opened(folder), folder, below: place)
        } catch { failures.append(ContactFailure(file: place, line: nil, error: error)) }
    }

    /// The type of a file or folder that was not seen yet.
    private mutating func admit(_ path: FilePath) -> mode_t? {
        var status = stat()
        guard path.withPlatformString({ lstat($0, &status) }) == 0 else { return nil }
        let identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        return seen.insert(identity).inserted ? status.st_mode & S_IFMT : nil
    }

    private static func resolved(_ path: FilePath) -> FilePath? {
        guard let target = path.withPlatformString({ realpath($0, nil) }) else { return nil }
        defer { free(target) }
        return FilePath(platformString: target)
    }

    private static func opened(_ folder: FilePath) throws(ContactsError) -> OpaquePointer {
        guard let stream = folder.withPlatformString({ opendir($0) }) else {
            throw .unreadable(Errno(rawValue: errno))
        }
        return stream
    }

    /// Without hidden ones, sorted by their bytes.
    private static func names(in stream: OpaquePointer) -> [FilePath.Component] {
        var names: [(bytes: [UInt8], component: FilePath.Component)] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            let terminated = name.map { CChar(bitPattern: $0) } + [0]
            guard name.first != UInt8(ascii: "."), let component = FilePath.Component(platformString: terminated)
            else { continue }
            names.append((name, component))
        }
        return names.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.map(\.component)
    }
}

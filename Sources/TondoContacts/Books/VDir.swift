internal import Glibc
package import SystemPackage
internal import TondoFiles

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
    private var seen: Set<FileIdentity> = []
    /// Links, to be followed after everything else is listed.
    private var links: [(path: FilePath, place: FilePath)] = []

    package init(_ folder: FilePath) throws(ContactsError) {
        guard let root = folder.real else { throw .unreadable(Errno(rawValue: errno)) }
        let content = try Self.content(of: folder)
        _ = admit(FileStatus(root, followingLinks: false))
        take(content, in: folder, below: FilePath(""))
        while let link = links.popLast() {
            if let target = link.path.real, target.starts(with: root) {
                take(target, FileStatus(target, followingLinks: false), as: link.place)
            }
        }
        items = items.map { ($0.bytes, $0) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
    }

    private mutating func take(_ content: [Item], in folder: FilePath, below relative: FilePath) {
        for (name, status) in content { take(folder.appending(name), status, as: relative.appending(name)) }
    }

    /// `path`: made only for the few that are no files.
    private mutating func take(_ path: @autoclosure () -> FilePath, _ status: FileStatus?, as place: FilePath) {
        switch admit(status) {
        case .link: links.append((path(), place))
        case .folder: enter(path(), as: place)
        case .regular where Self.isItem(place): items.append(place)
        default: break
        }
    }

    /// By its bytes: a string of each name takes a tenth of the time of a listing.
    private static func isItem(_ place: FilePath) -> Bool {
        place.withPlatformString { path in
            let count = strlen(path)
            return count > 4 && strcasecmp(path + count - 4, ".vcf") == 0
        }
    }

    private mutating func enter(_ folder: FilePath, as place: FilePath) {
        do throws(ContactsError) {
            take(try Self.content(of: folder), in: folder, below: place)
        } catch { failures.append(ContactFailure(file: place, line: nil, error: error)) }
    }

    /// The type of a file or folder that was not seen yet.
    private mutating func admit(_ status: FileStatus?) -> FileStatus.Kind? {
        guard let status else { return nil }
        return seen.insert(status.identity).inserted ? status.kind : nil
    }

    private typealias Item = (name: FilePath.Component, status: FileStatus?)

    /// Closes the folder before its sub-folders are listed: deep trees would exhaust the descriptors. The states are taken
    /// before that, as a path from the top costs the kernel three times as much.
    private static func content(of folder: FilePath) throws(ContactsError) -> [Item] {
        do {
            let folder = try Folder(folder)
            let names = folder.visibleNamesOnce().names
            return Array(zip(names, folder.statuses(of: names)))
        } catch { throw .unreadable(error) }
    }
}

internal import Glibc
package import SystemPackage
package import TondoFiles

/// A vdir: a folder of folders ("collections") of items, one card per file, as vdirsyncer keeps them.
///
/// Items are files that end in `.vcf`, in any letter case. Hidden names, and the `.tmp` files of writers that rename,
/// are not items. Links are followed as long as they stay inside the folder; nothing is listed twice, and a target with
/// a name of its own is not listed under the name of a link. A file with several names (hard links) is listed under the
/// first of those that are items.
package struct VDir: Sendable {
    /// Relative to the folder, in the order of their paths' bytes, so that every run sees the same order.
    package private(set) var items: [FilePath] = []
    /// Sub-folders and links that could not be read, and links to items outside.
    package private(set) var failures: [ContactFailure] = []
    /// The names of items that are not listed, because their file has an earlier one. Absolute, without links; each
    /// leads to the file itself, so that it stays a contact when the listed name is deleted.
    package private(set) var otherNames: [FileIdentity: [FilePath]] = [:]
    /// The folders of items, relative; the empty path is the book's own. Nil if one file may concern other names than its
    /// own: with links, with second names, and with folders that could not be read.
    package var plainFolders: Set<FilePath>? { isPlain && failures.isEmpty && otherNames.isEmpty ? folders : nil }
    private var folders: Set<FilePath> = [""]
    private var isPlain = true
    private var seen: Set<FileIdentity> = []
    /// Links, to be followed after everything else is listed.
    private var links: [(path: FilePath, place: FilePath)] = []

    /// Lists the folder and all below it; blocks. Throws `unreadable` only if the folder itself cannot be opened.
    package init(_ folder: FilePath) throws(ContactsError) {
        guard let root = folder.real else { throw .unreadable(Errno(rawValue: errno)) }
        let (content, failure) = try Self.content(of: folder)
        if let failure { failures.append(ContactFailure(file: Self.whole, line: nil, error: .unreadable(failure))) }
        if let status = FileStatus(root, followingLinks: false) { _ = admit(status) }
        take(content, in: folder, below: FilePath(""))
        // Many links may lead to one large folder.
        var outside: [FilePath: Bool] = [:]
        while let link = links.popLast() {
            guard let target = link.path.real else {
                fail(errno, at: link.place)
                continue
            }
            if target.starts(with: root) {
                take(target, status: FileStatus(target, followingLinks: false), as: link.place)
                continue
            }
            let isFolder = FileStatus(target)?.kind == .folder
            if isFolder, outside[target] == nil { outside[target] = Self.hasItem(target) }
            guard isFolder ? outside[target] == true : Self.isItem(link.place) else { continue }
            failures.append(ContactFailure(file: link.place, line: nil, error: .outside))
        }
        items = items.map { ($0.bytes, $0) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
    }

    /// The contacts at the end of a link that may not be followed are there, in contrast to those of one that leads nowhere.
    private mutating func fail(_ code: Int32, at place: FilePath) {
        if [ENOENT, ENOTDIR, ELOOP].contains(code) { return }
        failures.append(ContactFailure(file: place, line: nil, error: .unreadable(Errno(rawValue: code))))
    }

    /// Whether a folder has an item of its own.
    private static func hasItem(_ folder: FilePath) -> Bool {
        let names = (try? Folder(folder))?.visibleNamesOnce().names ?? []
        return names.contains { isItem(FilePath(root: nil, components: $0)) }
    }

    private mutating func take(_ content: [Item], in folder: FilePath, below relative: FilePath) {
        for (name, status) in content { take(folder.appending(name), status: status, as: relative.appending(name)) }
    }

    /// `path`: made only for the few that are no files.
    private mutating func take(_ path: @autoclosure () -> FilePath, status: FileStatus?, as place: FilePath) {
        // The name is judged first: a backup such as `ada.bak` must not stand for the item that has the same file.
        if status?.kind == .regular, !Self.isItem(place) { return }
        guard let status, admit(status) else {
            if let status, status.kind == .regular { note(path(), of: status) }
            // Also a folder that is mounted twice, and what is gone by now or has a state that could not be read.
            isPlain = false
            return
        }
        switch status.kind {
        case .link:
            isPlain = false
            links.append((path(), place))
        case .folder: enter(path(), as: place)
        case .regular: items.append(place)
        case .other: break
        }
    }

    /// A file with one name that comes again was reached by a link, which leads nowhere without it.
    private mutating func note(_ path: FilePath, of status: FileStatus) {
        guard status.links > 1, let name = path.lastComponent, let folder = path.removingLastComponent().real else {
            return
        }
        otherNames[status.identity, default: []].append(folder.appending(name))
    }

    /// By its bytes: a string of each name takes a tenth of the time of a listing.
    package static func isItem(_ place: FilePath) -> Bool {
        place.withPlatformString { path in
            let count = strlen(path)
            return count > 4 && strcasecmp(path + count - 4, ".vcf") == 0
        }
    }

    private mutating func enter(_ folder: FilePath, as place: FilePath) {
        do throws(ContactsError) {
            let (content, failure) = try Self.content(of: folder)
            if let failure { failures.append(ContactFailure(file: place, line: nil, error: .unreadable(failure))) }
            take(content, in: folder, below: place)
            if failure == nil { folders.insert(place) }
        } catch { failures.append(ContactFailure(file: place, line: nil, error: error)) }
    }

    /// Whether the file or folder was not seen yet.
    private mutating func admit(_ status: FileStatus) -> Bool { seen.insert(status.identity).inserted }

    private typealias Item = (name: FilePath.Component, status: FileStatus?)

    /// The book's folder itself, as the place of a failure.
    package static let whole: FilePath = "."

    /// Also the error if the folder could be listed only in part, or the states of its names are forbidden: then files may
    /// be missing here that are there. A name that was removed meanwhile is no error.
    ///
    /// Closes the folder before its sub-folders are listed: deep trees would exhaust the descriptors. The states are taken
    /// before that, as a path from the top costs the kernel three times as much.
    private static func content(of folder: FilePath) throws(ContactsError) -> ([Item], Errno?) {
        do {
            let folder = try Folder(folder)
            let (names, failure) = folder.visibleNamesOnce()
            let items = Array(zip(names, folder.statuses(of: names)))
            // Without the right to search the folder, no name has a state: one is enough to learn the reason.
            let unknown = items.lazy.filter { $0.1 == nil }.map(\.0)
            return (items, failure ?? unknown.compactMap { obstacle(to: $0, in: folder) }.first)
        } catch { throw .unreadable(error) }
    }

    /// Why the state of a name cannot be read; nil if it can, or nothing has this name.
    private static func obstacle(to name: FilePath.Component, in folder: Folder) -> Errno? {
        do throws(Errno) {
            _ = try name.withName { name throws(Errno) in try folder.status(name) }
            return nil
        } catch { return error }
    }
}

internal import Glibc

/// The names below a watched folder, and their changes: records in, changes out. Makes no system calls; the owner
/// performs the tasks of `apply`.
struct WatchTree: Sendable {
    /// The scope: a folder with all sub-folders, or one file in it.
    enum Scope: Equatable, Sendable {
        case everything
        case file([UInt8])
    }

    struct Entry: Equatable, Sendable {
        let name: [UInt8]
        let isFolder: Bool
        var isLink = false
    }

    enum Task: Equatable, Sendable {
        /// Watch the folder, then list it; forget it if it does not exist.
        case cover(RelativePath)
        /// Check whether the file exists, and whether it is a link.
        case check(WatchedFile)
        case unwatch(Int32)
        /// Everything, from the root on.
        case coverAgain
        /// There is nothing left to watch.
        case end(FolderWatcher.Ending)
    }

    private struct Folder {
        var watch: Int32?
        var files: Set<[UInt8]> = []
        var folders: Set<[UInt8]> = []
    }

    private let scope: Scope
    private let ignored: FolderWatcher.Ignored
    private var folders: [RelativePath: Folder] = [:]
    private var paths: [Int32: RelativePath] = [:]
    /// Files that are followed one by one, see `FolderWatcher.include`.
    private var included: Set<WatchedFile> = []
    private(set) var changes = PendingChanges()

    init(scope: Scope, ignored: FolderWatcher.Ignored) {
        self.scope = scope
        self.ignored = ignored
    }

    /// The number of watched folders.
    var watches: Int { paths.count }

    func isWatched(_ path: RelativePath) -> Bool { folders[path]?.watch != nil }

    mutating func apply(_ record: WatchRecord) -> [Task] {
        if record.has(IN_Q_OVERFLOW) { return missed(.overflow) }
        // An unknown watch was removed; its last records are known from other watches.
        guard let path = paths[record.watch] else { return [] }
        if record.has(IN_UNMOUNT) || record.has(IN_DELETE_SELF) || record.has(IN_MOVE_SELF) || record.has(IN_IGNORED)
            || record.name.isEmpty && record.has(IN_ATTRIB)
        {
            return applyToItself(record, at: path)
        }
        guard isWatched(Entry(name: record.name, isFolder: record.isFolder)), !record.name.isEmpty else { return [] }
        let isGone = record.has(IN_DELETE) || record.has(IN_MOVED_FROM)
        let isNew = record.has(IN_CREATE) || record.has(IN_MOVED_TO)
        switch (record.isFolder, isGone) {
        case (true, true): return removeFolder(record.name, in: path)
        case (true, false): return isNew ? addFolder(record.name, in: path) : changeMode(path.appending(record.name))
        case (false, true): return removeFile(record, in: path)
        case (false, false):
            touchFile(record.name, in: path, isRenamed: record.has(IN_MOVED_TO))
            return isNew ? [.check(WatchedFile(folder: path, name: record.name))] : []
        }
    }

    /// Events were missed: everything is scanned again, and the subscriber must do so, too.
    mutating func missed(_ reason: FolderWatcher.Reason) -> [Task] {
        changes.rescan(reason)
        return [.coverAgain]
    }

    private mutating func applyToItself(_ record: WatchRecord, at path: RelativePath) -> [Task] {
        if record.has(IN_ATTRIB) { return path == "" ? changeMode(path) : [] }
        guard path == "" else {
            // The parent folder reports the others, except if one is unmounted or its watch is lost.
            guard record.has(IN_UNMOUNT) || record.has(IN_IGNORED) else { return [] }
            paths[record.watch] = nil
            folders[path]?.watch = nil
            return record.has(IN_UNMOUNT) ? missed(.unmounted) : []
        }
        forgetFiles(below: path)
        return [.end(record.has(IN_UNMOUNT) ? .unmounted : record.has(IN_MOVE_SELF) ? .moved : .removed)]
    }

    private func isWatched(_ entry: Entry) -> Bool {
        switch scope {
        case .everything: !ignored.contains(entry.name)
        case .file(let name): !entry.isFolder && entry.name == name
        }
    }
}

extension WatchTree {
    /// The folder has this watch now. If a folder was renamed meanwhile, the watch belongs to the former name.
    mutating func setWatch(_ watch: Int32, of path: RelativePath) {
        if let former = paths[watch], former != path { folders[former]?.watch = nil }
        if let former = folders[path]?.watch, former != watch { paths[former] = nil }
        folders[path, default: Folder()].watch = watch
        paths[watch] = path
    }

    /// The present entries of a folder. Returns sub-folders to cover: new ones, or all.
    mutating func list(_ path: RelativePath, entries: [Entry], isAgain: Bool) -> [Task] {
        let entries = entries.filter { isWatched($0) || included.contains(WatchedFile(folder: path, name: $0.name)) }
        let files = Set(entries.lazy.filter { !$0.isFolder }.map(\.name))
        let subfolders = Set(entries.lazy.filter(\.isFolder).map(\.name))
        let known = folders[path, default: Folder()]
        // A folder that was covered again after it had vanished may exist after all.
        if let file = path.watchedFile { folders[file.folder]?.folders.insert(file.name) }
        let links = entries.filter { $0.isLink && (isAgain || !known.files.contains($0.name)) }
        var tasks = links.map { Task.check(WatchedFile(folder: path, name: $0.name)) }
        for name in known.files.subtracting(files) { removeFile(name, in: path) }
        for name in files.subtracting(known.files) { touchFile(name, in: path, isRenamed: false) }
        for name in known.folders.subtracting(subfolders) { tasks += removeFolder(name, in: path) }
        folders[path, default: Folder()].folders = subfolders
        let uncovered = isAgain ? subfolders : subfolders.filter { folders[path.appending($0)]?.watch == nil }
        return tasks + uncovered.sorted { $0.lexicographicallyPrecedes($1) }.map { .cover(path.appending($0)) }
    }

    /// The folder vanished before it could be covered.
    mutating func forget(_ path: RelativePath) -> [Task] {
        forgetFiles(below: path)
        return takeWatches(below: path).map { .unwatch($0) }
    }

    /// All files so far existed at the beginning. Reasons to read again stay.
    mutating func begin() { changes.forgetFiles() }

    /// The folder is not watched.
    mutating func miss(_ reason: FolderWatcher.Reason) { changes.rescan(reason) }

    mutating func takeChanges() -> PendingChanges.Report {
        defer { changes = PendingChanges() }
        return changes.report(isThere: isThere)
    }

    /// See `PendingChanges.isWhole`.
    var isWhole: Bool { changes.isWhole(isThere: isThere) }

    private func isThere(_ file: WatchedFile) -> Bool { folders[file.folder]?.files.contains(file.name) ?? false }

    /// A known link, or its target, changed. False if it is unknown.
    mutating func touchLink(_ file: WatchedFile) -> Bool {
        guard isThere(file) else { return false }
        touchFile(file.name, in: file.folder, isRenamed: false)
        return true
    }

    /// Whether the tree reports a file by itself.
    func covers(_ path: RelativePath) -> Bool {
        guard scope == .everything else { return scope == .file(path.bytes) }
        return !path.bytes.split(separator: UInt8(ascii: "/")).contains { ignored.contains(Array($0)) }
    }

    /// From now on the file is noted by `note` alone. `exists`: it counts as changed, since nothing was noted before.
    mutating func include(_ file: WatchedFile, exists: Bool) {
        included.insert(file)
        if exists { touchIncluded(file) }
    }

    mutating func exclude(_ file: WatchedFile) {
        included.remove(file)
        folders[file.folder]?.files.remove(file.name)
    }

    /// An included file, or the way to it, changed.
    mutating func note(_ file: WatchedFile, exists: Bool) {
        if exists { touchIncluded(file) } else { removeFile(file.name, in: file.folder) }
    }

    private mutating func touchIncluded(_ file: WatchedFile) {
        folders[file.folder, default: Folder()].files.insert(file.name)
        // As changed and never as added: the subscriber named the file, so it may know it.
        changes.note(file, existed: true, isRenamed: false)
    }

    /// The file exists, whatever was reported.
    mutating func find(_ file: WatchedFile) {
        guard folders[file.folder] != nil, !isThere(file) else { return }
        touchFile(file.name, in: file.folder, isRenamed: true)
    }

    /// The entries of a folder may have become readable or unreadable.
    private mutating func changeMode(_ path: RelativePath) -> [Task] {
        touchFiles(below: path)
        return [.cover(path)]
    }

    private mutating func touchFiles(below path: RelativePath) {
        guard let folder = folders[path] else { return }
        for name in folder.files { touchFile(name, in: path, isRenamed: false) }
        for name in folder.folders { touchFiles(below: path.appending(name)) }
    }

    /// When two files are exchanged, the event of one's removal comes after that of its creation.
    private mutating func removeFile(_ record: WatchRecord, in path: RelativePath) -> [Task] {
        let file = WatchedFile(folder: path, name: record.name)
        let isDoubtful = record.has(IN_MOVED_FROM) && changes.isRenamed(file)
        removeFile(record.name, in: path)
        return isDoubtful ? [.check(file)] : []
    }

    private mutating func touchFile(_ name: [UInt8], in path: RelativePath, isRenamed: Bool) {
        let isNew = folders[path, default: Folder()].files.insert(name).inserted
        changes.note(WatchedFile(folder: path, name: name), existed: !isNew, isRenamed: isRenamed)
    }

    private mutating func removeFile(_ name: [UInt8], in path: RelativePath) {
        guard folders[path]?.files.remove(name) != nil else { return }
        changes.note(WatchedFile(folder: path, name: name), existed: true, isRenamed: false)
    }

    private mutating func addFolder(_ name: [UInt8], in path: RelativePath) -> [Task] {
        folders[path, default: Folder()].folders.insert(name)
        return [.cover(path.appending(name))]
    }

    /// When two folders are exchanged, the event of one's removal comes after that of its creation: the name is checked
    /// again when the former watch is removed.
    private mutating func removeFolder(_ name: [UInt8], in path: RelativePath) -> [Task] {
        folders[path]?.folders.remove(name)
        return [.cover(path.appending(name))] + forget(path.appending(name))
    }

    private mutating func forgetFiles(below path: RelativePath) {
        guard let folder = folders[path] else { return }
        for name in folder.files { removeFile(name, in: path) }
        for name in folder.folders { forgetFiles(below: path.appending(name)) }
    }

    private mutating func takeWatches(below path: RelativePath) -> [Int32] {
        guard let folder = folders.removeValue(forKey: path) else { return [] }
        if let watch = folder.watch { paths[watch] = nil }
        return (folder.watch.map { [$0] } ?? []) + folder.folders.flatMap { takeWatches(below: path.appending($0)) }
    }
}

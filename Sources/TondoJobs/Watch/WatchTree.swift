internal import Glibc

/// What is below a watched folder, as far as names go, and what of it changed: records in, changes out. No system
/// calls; whoever holds it does what `apply` asks for.
struct WatchTree: Sendable {
    /// What is watched: a folder with everything below, or one file in it.
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
        /// Watch the folder, then list it; forget it if there is none.
        case cover(RelativePath)
        /// See whether the file is there, and whether it is a link.
        case look(FilePlace)
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
    private(set) var changes = PendingChanges()

    init(_ scope: Scope, ignored: FolderWatcher.Ignored) {
        (self.scope, self.ignored) = (scope, ignored)
    }

    /// Folders that are watched.
    var watches: Int { paths.count }

    func isWatched(_ path: RelativePath) -> Bool { folders[path]?.watch != nil }

    mutating func apply(_ record: WatchRecord) -> [Task] {
        if record.has(IN_Q_OVERFLOW) { return missed(.overflow) }
        // A watch that is unknown was taken away; what it still tells is known from elsewhere.
        guard let path = paths[record.watch] else { return [] }
        if record.has(IN_UNMOUNT) || record.has(IN_DELETE_SELF) || record.has(IN_MOVE_SELF) || record.has(IN_IGNORED)
            || record.name.isEmpty && record.has(IN_ATTRIB)
        {
            return applyToItself(record, path)
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
            return isNew ? [.look(FilePlace(folder: path, name: record.name))] : []
        }
    }

    /// Something was missed: everything is looked at again, and whoever listens has to do so, too.
    mutating func missed(_ reason: FolderWatcher.Reason) -> [Task] {
        changes.rescan(reason)
        return [.coverAgain]
    }

    private mutating func applyToItself(_ record: WatchRecord, _ path: RelativePath) -> [Task] {
        if record.has(IN_ATTRIB) { return path == "" ? changeMode(path) : [] }
        guard path == "" else {
            // The folder above tells of the others, except when one is unmounted or its watch is lost.
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
    /// The folder has this watch now. Of a folder that was renamed meanwhile it is the watch of the former name.
    mutating func setWatch(_ watch: Int32, of path: RelativePath) {
        if let former = paths[watch], former != path { folders[former]?.watch = nil }
        if let former = folders[path]?.watch, former != watch { paths[former] = nil }
        folders[path, default: Folder()].watch = watch
        paths[watch] = path
    }

    /// What the folder holds now. Gives sub-folders that are to be covered: new ones, or all.
    mutating func list(_ path: RelativePath, _ entries: [Entry], isAgain: Bool) -> [Task] {
        let entries = entries.filter(isWatched)
        let files = Set(entries.lazy.filter { !$0.isFolder }.map(\.name))
        let subfolders = Set(entries.lazy.filter(\.isFolder).map(\.name))
        let known = folders[path, default: Folder()]
        // One that was covered again after it had gone may be there after all.
        if let place = path.place { folders[place.folder]?.folders.insert(place.name) }
        let links = entries.filter { $0.isLink && (isAgain || !known.files.contains($0.name)) }
        var tasks = links.map { Task.look(FilePlace(folder: path, name: $0.name)) }
        for name in known.files.subtracting(files) { removeFile(name, in: path) }
        for name in files.subtracting(known.files) { touchFile(name, in: path, isRenamed: false) }
        for name in known.folders.subtracting(subfolders) { tasks += removeFolder(name, in: path) }
        folders[path, default: Folder()].folders = subfolders
        let uncovered = isAgain ? subfolders : subfolders.filter { folders[path.appending($0)]?.watch == nil }
        return tasks + uncovered.sorted { $0.lexicographicallyPrecedes($1) }.map { .cover(path.appending($0)) }
    }

    /// The folder went away before it could be covered.
    mutating func forget(_ path: RelativePath) -> [Task] {
        forgetFiles(below: path)
        return takeWatches(below: path).map { .unwatch($0) }
    }

    /// What is known now was there from the beginning. Reasons to read again stay.
    mutating func begin() { changes.forgetFiles() }

    /// The folder is not watched.
    mutating func miss(_ reason: FolderWatcher.Reason) { changes.rescan(reason) }

    mutating func takeChanges() -> PendingChanges.Report {
        defer { changes = PendingChanges() }
        return changes.report(isThere: isThere)
    }

    /// See `PendingChanges.isWhole`.
    var isWhole: Bool { changes.isWhole(isThere: isThere) }

    private func isThere(_ file: FilePlace) -> Bool { folders[file.folder]?.files.contains(file.name) ?? false }

    /// A link that is known, or what it leads to, changed. False when it is unknown.
    mutating func touchLink(_ file: FilePlace) -> Bool {
        guard isThere(file) else { return false }
        touchFile(file.name, in: file.folder, isRenamed: false)
        return true
    }

    /// The file is there, whatever was told.
    mutating func find(_ file: FilePlace) {
        guard folders[file.folder] != nil, !isThere(file) else { return }
        touchFile(file.name, in: file.folder, isRenamed: true)
    }

    /// What a folder holds may have become readable, or is so no longer.
    private mutating func changeMode(_ path: RelativePath) -> [Task] {
        touchFiles(below: path)
        return [.cover(path)]
    }

    private mutating func touchFiles(below path: RelativePath) {
        guard let folder = folders[path] else { return }
        for name in folder.files { touchFile(name, in: path, isRenamed: false) }
        for name in folder.folders { touchFiles(below: path.appending(name)) }
    }

    /// Of two files that were exchanged, one is told as gone after it came.
    private mutating func removeFile(_ record: WatchRecord, in path: RelativePath) -> [Task] {
        let file = FilePlace(folder: path, name: record.name)
        let isDoubtful = record.has(IN_MOVED_FROM) && changes.isRenamed(file)
        removeFile(record.name, in: path)
        return isDoubtful ? [.look(file)] : []
    }

    private mutating func touchFile(_ name: [UInt8], in path: RelativePath, isRenamed: Bool) {
        let isNew = folders[path, default: Folder()].files.insert(name).inserted
        changes.note(FilePlace(folder: path, name: name), existed: !isNew, isRenamed: isRenamed)
    }

    private mutating func removeFile(_ name: [UInt8], in path: RelativePath) {
        guard folders[path]?.files.remove(name) != nil else { return }
        changes.note(FilePlace(folder: path, name: name), existed: true, isRenamed: false)
    }

    private mutating func addFolder(_ name: [UInt8], in path: RelativePath) -> [Task] {
        folders[path, default: Folder()].folders.insert(name)
        return [.cover(path.appending(name))]
    }

    /// Of two folders that were exchanged, one is told as gone after it came: the name is looked for once more, when
    /// the former watch is taken away.
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

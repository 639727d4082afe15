internal import Dispatch
internal import Glibc

/// Watches the targets of links: each link on the way, and the file or folder at its end if that is inside the allowed
/// root. A link that is exchanged, as Kubernetes exchanges `..data`, or a file that is written at the end of one, is a
/// change of every link that leads there. Opens its own descriptor once there is a link.
final class LinkWatches: @unchecked Sendable {
    // Safe because all state is used on `queue` only, or before the session begins.
    private let queue: DispatchQueue
    /// Left when the descriptor is closed.
    private let closing: DispatchGroup
    /// Without links; targets outside are not watched.
    private let root: [UInt8]
    private let ignored: FolderWatcher.Ignored
    private let maxWatches: Int
    /// Gets the links that lead elsewhere, or to another kind of file; they must be followed again. The empty path
    /// stands for the way to the root.
    var changed: (Set<RelativePath>) -> Void = { _ in }
    private var descriptor: Int32 = -1
    private var source: (any DispatchSourceRead)?
    private var watches: [RelativePath: Set<Int32>] = [:]
    private var links: [Int32: Set<RelativePath>] = [:]
    /// Some ways are not watched: the kernel, or `maxWatches`, permits no more.
    private(set) var isIncomplete = false

    init(
        _ root: [UInt8], ignored: FolderWatcher.Ignored, maxWatches: Int, queue: DispatchQueue, closing: DispatchGroup
    ) {
        (self.root, self.ignored, self.maxWatches) = (root, ignored, maxWatches)
        (self.queue, self.closing) = (queue, closing)
    }

    /// Follows the link from now on, by its present way.
    func follow(_ link: RelativePath) {
        let linkPath = LinkPath(link.bytes, from: root)
        var watches = Set(linkPath.links.compactMap { watch($0, Self.linkMask) })
        if let end = linkPath.end, isInside(end) { watches.formUnion(watch(end: end)) }
        // A missing name may be created later.
        if let gap = linkPath.gap, isInside(gap) || gap == root {
            watches.formUnion([watch(gap, Self.gapMask)].compactMap(\.self))
        }
        use(watches, for: link)
    }

    /// Follows a file by its present way: each folder and link on it, and the file itself.
    func follow(file: RelativePath) {
        follow(file)
        let folders = file.folders.compactMap { watch(root + [UInt8(ascii: "/")] + $0.bytes, Self.linkMask) }
        use((watches[file] ?? []).union(folders), for: file)
    }

    /// Follows the links on the way to the root, not its end. `path`: as the user named it, absolute.
    func followRoot(_ path: [UInt8]) {
        use(Set(LinkPath(path, from: []).links.compactMap { watch($0, Self.linkMask) }), for: "")
    }

    func forget(_ link: RelativePath) { if watches[link] != nil { use([], for: link) } }

    func end() { source?.cancel() }

    private func use(_ new: Set<Int32>, for link: RelativePath) {
        let old = watches.updateValue(new, forKey: link) ?? []
        if new.isEmpty { watches[link] = nil }
        for watch in new { links[watch, default: []].insert(link) }
        for watch in old.subtracting(new) {
            links[watch]?.remove(link)
            guard links[watch]?.isEmpty == true else { continue }
            links[watch] = nil
            inotify_rm_watch(descriptor, watch)
        }
    }

    private func isInside(_ path: [UInt8]) -> Bool {
        let top = root + [UInt8(ascii: "/")]
        return path.count > top.count && path.starts(with: top)
    }

    /// A file, or a folder with its sub-folders.
    private func watch(end path: [UInt8]) -> Set<Int32> {
        guard LinkPath.kind(path) == S_IFDIR else { return Set([watch(path, Self.fileMask)].compactMap(\.self)) }
        var (watches, folders): (Set<Int32>, [[UInt8]]) = ([], [path])
        while let folder = folders.popLast() {
            if let watch = watch(folder, Self.folderMask) { watches.insert(watch) }
            let entries = (try? FolderEntries.list(folder.terminated)) ?? []
            for entry in entries where entry.isFolder && !ignored.contains(entry.name) {
                folders.append(folder + [UInt8(ascii: "/")] + entry.name)
            }
        }
        return watches
    }

    private static let linkMask = IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
    private static let fileMask = linkMask | IN_CLOSE_WRITE | IN_MODIFY
    private static let gapMask = linkMask | IN_CREATE | IN_MOVED_TO
    private static let folderMask = gapMask | IN_CLOSE_WRITE | IN_MODIFY | IN_DELETE | IN_MOVED_FROM

    private func watch(_ path: [UInt8], _ mask: Int32) -> Int32? {
        guard open(), links.count < maxWatches else {
            isIncomplete = true
            return nil
        }
        // A folder may be the end of one way and the gap of another.
        let watch = inotify_add_watch(
            descriptor, path.terminated, UInt32(bitPattern: mask | Int32(IN_DONT_FOLLOW) | Int32(IN_MASK_ADD)))
        if watch < 0, errno == ENOSPC || errno == ENOMEM { isIncomplete = true }
        return watch >= 0 ? watch : nil
    }

    private func open() -> Bool {
        if descriptor >= 0 { return true }
        descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else { return false }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        closing.enter()
        source.setCancelHandler { [descriptor, closing] in
            Glibc.close(descriptor)
            closing.leave()
        }
        source.setEventHandler { [weak self] in self?.read() }
        source.activate()
        self.source = source
        return true
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var affected: Set<RelativePath> = []
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            let (records, isWhole) = buffer[..<count].withUnsafeBytes { WatchRecord.parse($0) }
            for record in records { affected.formUnion(take(record)) }
            if !isWhole { affected.formUnion(watches.keys) }
        }
        if !affected.isEmpty { changed(affected) }
    }

    /// The links that a record concerns.
    private func take(_ record: WatchRecord) -> Set<RelativePath> {
        if record.has(IN_Q_OVERFLOW) { return Set(watches.keys) }
        let affected = links[record.watch] ?? []
        guard record.has(IN_IGNORED) else { return affected }
        for link in affected { watches[link]?.remove(record.watch) }
        links[record.watch] = nil
        return affected
    }
}

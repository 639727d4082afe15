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
    private var ways: [RelativePath: Way] = [:]
    private var ends: [[UInt8]: End] = [:]
    private var users: [Int32: Users] = [:]
    /// Called between a look at a way and its watches: the worst moment for a change. For tests.
    var onResolved: () -> Void = {}
    /// Folders that were listed, for tests.
    private(set) var listed = 0
    /// Some ways are not watched: the kernel, or `maxWatches`, permits no more.
    private(set) var isIncomplete = false

    /// What is watched for one link.
    private struct Way: Equatable {
        /// The watches of the links on the way, of the end itself, or of a gap.
        var watches: Set<Int32> = []
        /// The path of a folder at its end.
        var end: [UInt8]?
    }

    /// A folder at the end of links, with its sub-folders. It is watched once, however many links lead there: a thousand links to
    /// a folder of a thousand folders would need a million watches otherwise.
    private struct End {
        var watches: Set<Int32> = []
        var links: Set<RelativePath> = []
        /// Something in it has changed since it was listed.
        var isOutdated = false
    }

    /// What a watch is for.
    private struct Users {
        var links: Set<RelativePath> = []
        var ends: Set<[UInt8]> = []

        var isEmpty: Bool { links.isEmpty && ends.isEmpty }
    }

    init(
        root: [UInt8], ignored: FolderWatcher.Ignored, maxWatches: Int, queue: DispatchQueue, closing: DispatchGroup
    ) {
        self.root = root
        self.ignored = ignored
        self.maxWatches = maxWatches
        self.queue = queue
        self.closing = closing
    }

    /// Follows the link from now on, by its present way.
    func follow(_ link: RelativePath) {
        use(stable { placeWatches(onWayOf: link) }, for: link)
    }

    /// Follows a file by its present way: each folder and link on it, and the file itself.
    func follow(file: RelativePath) {
        let way = stable {
            let folders = file.folders.compactMap { watch(root + [UInt8(ascii: "/")] + $0.bytes, Self.linkMask) }
            var way = placeWatches(onWayOf: file)
            way.watches.formUnion(folders)
            return way
        }
        use(way, for: file)
    }

    /// The way that two walks in a row find. A name that changes between its look and its watch would be missed for
    /// good otherwise: no watch has an event of it. The kernel gives an inode the same watch each time, so equal ways
    /// lead through equal inodes, which were watched before the second walk. On a way that keeps changing, the last
    /// walk counts: its watches see the next change.
    private func stable(_ walk: () -> Way) -> Way {
        var way = walk()
        for _ in 0..<Self.maxWalks {
            let next = walk()
            if next == way { break }
            for watch in way.watches.subtracting(next.watches) where users[watch] == nil { remove(watch) }
            way = next
        }
        return way
    }

    private func placeWatches(onWayOf link: RelativePath) -> Way {
        let linkPath = LinkPath(link.bytes, from: root)
        onResolved()
        var way = Way(watches: Set(linkPath.links.compactMap { watch($0, Self.linkMask) }))
        if let end = linkPath.end, isInside(end) {
            let isFolder = LinkPath.kind(of: end) == S_IFDIR
            if isFolder { way.end = end }
            if let watch = watch(end, isFolder ? Self.linkMask : Self.fileMask) { way.watches.insert(watch) }
        }
        // A missing name may be created later.
        if let gap = linkPath.gap, isInside(gap) || gap == root, let watch = watch(gap, Self.gapMask) {
            way.watches.insert(watch)
        }
        return way
    }

    /// Follows the links on the way to the root, not its end. `path`: as the user named it, absolute.
    func followRoot(_ path: [UInt8]) {
        let way = stable { Way(watches: Set(LinkPath(path, from: []).links.compactMap { watch($0, Self.linkMask) })) }
        use(way, for: "")
    }

    func forget(_ link: RelativePath) { if ways[link] != nil { use(Way(), for: link) } }

    func end() { source?.cancel() }

    /// The watches of the new way exist already; those that only the old one needs end.
    private func use(_ new: Way, for link: RelativePath) {
        let old = ways.updateValue(new, forKey: link) ?? Way()
        if new.watches.isEmpty, new.end == nil { ways[link] = nil }
        for watch in new.watches { users[watch, default: Users()].links.insert(link) }
        for watch in old.watches.subtracting(new.watches) {
            users[watch]?.links.remove(link)
            release(watch)
        }
        if let end = new.end {
            ends[end, default: End(isOutdated: true)].links.insert(link)
            cover(end)
        }
        guard let end = old.end, end != new.end else { return }
        ends[end]?.links.remove(link)
        guard ends[end]?.links.isEmpty == true, let last = ends.removeValue(forKey: end) else { return }
        for watch in last.watches {
            users[watch]?.ends.remove(end)
            release(watch)
        }
    }

    private func release(_ watch: Int32) {
        guard users[watch]?.isEmpty == true else { return }
        users[watch] = nil
        remove(watch)
    }

    private func remove(_ watch: Int32) { inotify_rm_watch(descriptor, watch) }

    /// Watches the folder and its sub-folders, unless they are as they were listed.
    private func cover(_ end: [UInt8]) {
        guard ends[end]?.isOutdated == true else { return }
        // Old watches end after the new ones are placed, so that no change falls in between.
        let (new, old) = (watch(folder: end), ends[end]?.watches ?? [])
        for watch in new { users[watch, default: Users()].ends.insert(end) }
        ends[end]?.watches = new
        ends[end]?.isOutdated = false
        for watch in old.subtracting(new) {
            users[watch]?.ends.remove(end)
            release(watch)
        }
    }

    private func isInside(_ path: [UInt8]) -> Bool {
        let top = root + [UInt8(ascii: "/")]
        return path.count > top.count && path.starts(with: top)
    }

    /// A folder with its sub-folders.
    private func watch(folder path: [UInt8]) -> Set<Int32> {
        var (watches, folders): (Set<Int32>, [[UInt8]]) = ([], [path])
        while let folder = folders.popLast() {
            if let watch = watch(folder, Self.folderMask) { watches.insert(watch) }
            listed += 1
            let entries = (try? FolderEntries.list(folder.terminated)) ?? []
            for entry in entries where entry.isFolder && !ignored.contains(entry.name) {
                folders.append(folder + [UInt8(ascii: "/")] + entry.name)
            }
        }
        return watches
    }

    // Bounds the walks on a way that another program keeps changing.
    private static let maxWalks = 8
    private static let linkMask = IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
    private static let fileMask = linkMask | IN_CLOSE_WRITE | IN_MODIFY
    private static let gapMask = linkMask | IN_CREATE | IN_MOVED_TO
    private static let folderMask = gapMask | IN_CLOSE_WRITE | IN_MODIFY | IN_DELETE | IN_MOVED_FROM

    private func watch(_ path: [UInt8], _ mask: Int32) -> Int32? {
        guard open(), users.count < maxWatches else {
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

    /// Takes the kernel's events. On the queue.
    func read() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var (affected, changedEnds): (Set<RelativePath>, Set<[UInt8]>) = ([], [])
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            let (records, isWhole) = buffer[..<count].withUnsafeBytes { WatchRecord.parse($0) }
            for record in records where !record.has(IN_Q_OVERFLOW) {
                guard let users = users[record.watch] else { continue }
                affected.formUnion(users.links)
                changedEnds.formUnion(users.ends)
                if record.has(IN_IGNORED) { lose(record.watch, owners: users) }
            }
            if !isWhole || records.contains(where: { $0.has(IN_Q_OVERFLOW) }) {
                affected.formUnion(ways.keys)
                changedEnds.formUnion(ends.keys)
            }
        }
        // Once for all records: many links may lead to an end, and many records come from it.
        for end in changedEnds {
            ends[end]?.isOutdated = true
            affected.formUnion(ends[end]?.links ?? [])
        }
        if !affected.isEmpty { changed(affected) }
    }

    /// The kernel has removed the watch.
    private func lose(_ watch: Int32, owners: Users) {
        for link in owners.links { ways[link]?.watches.remove(watch) }
        for end in owners.ends { ends[end]?.watches.remove(watch) }
        users[watch] = nil
    }
}

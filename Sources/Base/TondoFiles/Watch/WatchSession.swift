internal import Dispatch
internal import Glibc
internal import SystemPackage

/// The effects of a watcher: the descriptor, its source, the timer, and the system calls for the tree.
final class WatchSession: @unchecked Sendable {
    // Safe because all mutable state is used on `queue` only, or before the source begins.
    private let queue = DispatchQueue(label: "tondo.files.watch")
    private let onQueue = DispatchSpecificKey<Bool>()
    private let root: [UInt8]
    /// The path of the root, absolute, as the user named it.
    private let named: [UInt8]
    private let links: LinkWatches
    /// The name of the only watched file.
    private let file: [UInt8]?
    private var included: Set<RelativePath> = []
    private var isCheckingRoot = false
    /// Nanoseconds.
    private let delay: UInt64
    private let maxWatches: Int
    private let onEvent: @Sendable (FolderWatcher.Event) -> Void
    let descriptor: Int32
    private let source: any DispatchSourceRead
    /// Left when the descriptor is closed.
    private let closing = DispatchGroup()
    private var tree: WatchTree
    private var debouncer: Debouncer
    private var isTimerSet = false
    private var isStopped = false
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    init(
        root: [UInt8], scope: WatchTree.Scope, options: FolderWatcher.Options, named: [UInt8],
        onEvent: @escaping @Sendable (FolderWatcher.Event) -> Void
    ) throws(WatchError) {
        self.root = root
        self.onEvent = onEvent
        maxWatches = max(options.maxWatches, 1)
        self.named = named
        if case .file(let name) = scope { file = name } else { file = nil }
        links = LinkWatches(
            root: root, ignored: options.ignored, maxWatches: maxWatches, queue: queue, closing: closing)
        delay = options.debounceDelay.limitedNanoseconds
        tree = WatchTree(scope: scope, ignored: options.ignored)
        debouncer = Debouncer(
            delay: options.debounceDelay.limitedNanoseconds, longest: options.longest.limitedNanoseconds,
            quietPeriod: options.quietPeriod.limitedNanoseconds)
        descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else { throw .unavailable(errno: errno) }
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        queue.setSpecific(key: onQueue, value: true)
        closing.enter()
        source.setCancelHandler { [descriptor, closing] in
            Glibc.close(descriptor)
            closing.leave()
        }
        source.setEventHandler { [weak self] in self?.read() }
        links.changed = { [weak self] in self?.follow($0) }
        let failure = begin()
        source.activate()
        guard let failure else { return }
        source.cancel()
        links.end()
        throw failure
    }

    private func begin() -> WatchError? {
        if let number = watch("") {
            let path = String(decoding: root, as: UTF8.self)
            return number == ENOSPC ? .unavailable(errno: number) : .unreadable(path: path, errno: number)
        }
        // An unlistable folder has no files to report.
        if let entries = try? FolderEntries.list(absolute("")) { run(tree.list("", entries: entries, isAgain: false)) }
        tree.begin()
        links.followRoot(named)
        // Something may be missing from the start, such as watches beyond a limit.
        queue.async { self.plan() }
        return nil
    }

    func stop() {
        // An event handler runs on the queue, where `sync` would wait for itself.
        if DispatchQueue.getSpecific(key: onQueue) == true { return end() }
        queue.sync { end() }
        // The cancel handlers close the descriptors; the caller may count on that.
        closing.wait()
    }

    func stopLater() { queue.async { self.end() } }

    /// See `FolderWatcher.include`.
    func include(_ files: Set<RelativePath>) {
        queue.async { [self] in exchange(included.subtracting(files), for: files) }
    }

    /// See `FolderWatcher.include`.
    func include(_ new: Set<RelativePath>, excluding old: Set<RelativePath>) {
        queue.async { [self] in exchange(old.intersection(included), for: new) }
    }

    private func exchange(_ old: Set<RelativePath>, for files: Set<RelativePath>) {
        if isStopped { return }
        for file in old {
            included.remove(file)
            links.forget(file)
            if let watched = file.watchedFile { tree.exclude(watched) }
        }
        let new = files.filter { $0.watchedFile != nil && !tree.covers($0) && !included.contains($0) }
        for file in new {
            included.insert(file)
            links.follow(file: file)
            if let watched = file.watchedFile { tree.include(watched, exists: exists(file)) }
        }
        if !new.isEmpty, links.isIncomplete { tree.miss(.watchLimit) }
        plan()
    }

    private func exists(_ file: RelativePath) -> Bool {
        LinkPath(file.bytes, from: root).end.map { LinkPath.kind(of: $0) != S_IFDIR } ?? false
    }

    private func end() {
        isStopped = true
        source.cancel()
        links.end()
    }

    private func read() {
        // Remaining events make the source call again, after the timer had its turn.
        for _ in 0..<64 {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            feed(buffer[..<count])
        }
        plan()
    }

    /// Handles the kernel's events.
    private func feed(_ bytes: ArraySlice<UInt8>) {
        let (records, isWhole) = bytes.withUnsafeBytes { WatchRecord.parse($0) }
        for record in records where !isStopped { run(tree.apply(record)) }
        if !isWhole { run(tree.missed(.overflow)) }
    }

    private func run(_ tasks: [WatchTree.Task]) {
        var tasks = tasks
        var isAgain = false
        while let task = tasks.popLast() {
            switch task {
            case .cover(let path): tasks += cover(path, isAgain: isAgain)
            case .check(let file): check(at: file)
            case .unwatch(let watch): inotify_rm_watch(descriptor, watch)
            case .coverAgain:
                isAgain = true
                tasks.append(.cover(""))
            case .end(let ending): finish(ending)
            }
        }
    }

    private func finish(_ ending: FolderWatcher.Ending) {
        report()
        if !isStopped { onEvent(.ended(ending)) }
        end()
    }
}

extension WatchSession {
    /// In this order: an entry that is created between the two calls is found by either, or both.
    private func cover(_ path: RelativePath, isAgain: Bool) -> [WatchTree.Task] {
        if let number = watch(path) {
            let isOverLimit = number == ENOSPC || number == ENOMEM
            if let tasks = miss(path, number: number, reason: isOverLimit ? .watchLimit : .unreadable) { return tasks }
        }
        do throws(Errno) {
            return tree.list(path, entries: try FolderEntries.list(absolute(path)), isAgain: isAgain)
        } catch { return miss(path, number: error.rawValue, reason: .unreadable) ?? [] }
    }

    /// Nil: the folder exists, but something of it is missed for this reason.
    private func miss(_ path: RelativePath, number: Int32, reason: FolderWatcher.Reason) -> [WatchTree.Task]? {
        switch number {
        case ENOENT, ENOTDIR, ELOOP: return tree.forget(path)
        // The subscriber cannot read it either. A change of its mode is reported by its parent folder.
        case EACCES: return []
        default:
            tree.miss(reason)
            return nil
        }
    }

    private func check(at file: WatchedFile) {
        let kind = LinkPath.kind(of: root + [UInt8(ascii: "/")] + file.path.bytes)
        if kind != nil, kind != S_IFDIR { tree.find(file) }
        if kind == S_IFLNK { links.follow(file.path) } else { links.forget(file.path) }
        if links.isIncomplete { tree.miss(.watchLimit) }
    }

    /// Links that lead elsewhere, or to another kind of file, are reported as changed and followed again.
    private func follow(_ changed: Set<RelativePath>) {
        if isStopped { return }
        for link in changed {
            if link == "" {
                checkRoot()
            } else if included.contains(link), let file = link.watchedFile {
                links.follow(file: link)
                tree.note(file, exists: exists(link))
            } else if let file = link.watchedFile, tree.touchLink(file) {
                check(at: file)
            } else {
                links.forget(link)
            }
        }
        plan()
    }

    /// After the debounce, since a link may be deleted and created again. The watcher ends if the way leads elsewhere.
    private func checkRoot() {
        if isCheckingRoot { return }
        isCheckingRoot = true
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: delay))) { [weak self] in
            guard let self, !isStopped else { return }
            isCheckingRoot = false
            let linkPath = LinkPath(named, from: [])
            // A file may be missing for a while, as long as its folder is the same.
            if linkPath.end == (file.map { root + [UInt8(ascii: "/")] + $0 } ?? root)
                || file != nil && linkPath.gap == root
            {
                return links.followRoot(named)
            }
            finish(linkPath.end == nil ? .removed : .exchanged)
        }
    }

    /// Returns the number of the error, if there is one.
    private func watch(_ path: RelativePath) -> Int32? {
        if tree.watches >= maxWatches, !tree.isWatched(path) {
            // A folder that has vanished is no reason to report a limit.
            return LinkPath.kind(of: root + [UInt8(ascii: "/")] + path.bytes) == S_IFDIR ? ENOSPC : ENOENT
        }
        let events = IN_ATTRIB | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MODIFY | IN_MOVE_SELF
        // IN_EXCL_UNLINK: a deleted file that a program still writes is no file of the folder any more.
        let mask = UInt32(events | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK)
        let watch = absolute(path).withUnsafeBufferPointer { inotify_add_watch(descriptor, $0.baseAddress, mask) }
        guard watch >= 0 else { return errno }
        tree.setWatch(watch, of: path)
        return nil
    }

    private func absolute(_ path: RelativePath) -> [CChar] {
        (root + [UInt8(ascii: "/")] + path.bytes + [0]).map { CChar(bitPattern: $0) }
    }

    /// Reports the changes that are due; sets the timer if others are pending.
    private func plan() {
        guard !isStopped, !tree.changes.isEmpty else { return }
        let now = DispatchTime.now().uptimeNanoseconds
        debouncer.note(now: now, isWhole: tree.isWhole)
        reportIfDue(now: now)
    }

    private func setTimer(now: UInt64) {
        guard !isTimerSet, let due = debouncer.due else { return }
        isTimerSet = true
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: due > now ? due - now : 0))) { [weak self] in
            self?.timerFired()
        }
    }

    private func timerFired() {
        isTimerSet = false
        reportIfDue(now: DispatchTime.now().uptimeNanoseconds)
    }

    private func reportIfDue(now: UInt64) {
        guard let due = debouncer.due, due <= now else { return setTimer(now: now) }
        report()
    }

    private func report() {
        debouncer.clear()
        let report = tree.takeChanges()
        if !isStopped, !report.changes.isEmpty { onEvent(.changed(report.changes)) }
        for reason in FolderWatcher.Reason.allCases where report.reasons.contains(reason) && !isStopped {
            onEvent(.rescanNeeded(reason))
        }
    }
}

extension Duration {
    /// From 0 to 292 years, so that the sum of two cannot overflow.
    fileprivate var limitedNanoseconds: UInt64 { UInt64(min(max(attoseconds / 1_000_000_000, 0), Int128(Int64.max))) }
}

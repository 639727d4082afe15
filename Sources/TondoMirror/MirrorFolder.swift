internal import Glibc
internal import SystemPackage
internal import TondoFiles

/// An open mirror: the only code that writes one. One process has it at a time, by a lock that ends with this object.
///
/// Only files that its state or journal lists are replaced or removed; a file of another program is never overwritten.
/// Whenever the process is killed, the mirror's folder is valid, and the next run converges: files are on the disk before
/// they get their names, and have their names before the state lists them. On one thread.
package final class MirrorFolder {
    package let layout: MirrorLayout
    /// What the mirror holds, and the source remembered at the end of the last run.
    package private(set) var state: MirrorState
    /// Members whose files were removed by another program: the source is asked for them again.
    package private(set) var missing: Set<String> = []
    /// Nothing is written.
    package let isDry: Bool

    private let lock: FileDescriptor?
    private var journal: MirrorJournal
    private var staged: StagedFiles
    private var names = FileNames()
    private var added = 0
    private var isDirty = false
    private var isRenamed = false

    /// Creates missing folders. Throws `busy` at once if another process has the mirror. `dry`: nothing is created or
    /// locked.
    package init(_ layout: MirrorLayout, dry: Bool = false) throws(MirrorError) {
        (self.layout, isDry) = (layout, dry)
        let lock = dry ? nil : try Self.lock(layout)
        do throws(MirrorError) { state = try Self.readState(layout) } catch {
            // There is no object yet whose end would give the lock back.
            try? lock?.close()
            throw error
        }
        self.lock = lock
        journal = MirrorJournal(layout.journal)
        staged = StagedFiles(in: layout.temporary)
        if !dry { staged.clear() }
        try adopt()
        try compare()
    }

    deinit {
        staged.close()
        if !isDry { staged.clear() }
        journal.close()
        guard let lock else { return }
        // Unlocked first: a program that is being started at this moment has a copy of the descriptor until it runs.
        flock(lock.rawValue, LOCK_UN)
        try? lock.close()
    }

    private static func lock(_ layout: MirrorLayout) throws(MirrorError) -> FileDescriptor {
        try MirrorError.converting(.write, layout.root) {
            for folder in [layout.root, layout.cards, layout.temporary] { try Folder.make(folder, mode: 0o755) }
            let file = try FileDescriptor.open(
                layout.lock, .readWrite, options: [.create, .closeOnExec, .noFollow], permissions: .ownerReadWrite)
            guard LockKind.exclusive.tryLock(file.rawValue) else {
                try? file.close()
                throw MirrorError.busy(layout.root)
            }
            return file
        }
    }

    private static func readState(_ layout: MirrorLayout) throws(MirrorError) -> MirrorState {
        do {
            return try MirrorFile.state(layout.state)
        } catch Errno.noSuchFileOrDirectory {
            return MirrorState()
        } catch let failure as MirrorState.Failure {
            throw failure == .newer ? .newer(layout.state) : .damaged(layout.state)
        } catch {
            throw .file(FileError(.read, layout.state, (error as? Errno) ?? .ioError))
        }
    }

    /// Takes over what a killed run placed.
    private func adopt() throws(MirrorError) {
        for entry in journal.entries() {
            if let old = state.members[entry.id]?.file, FileStatus(self.path(old)) != nil { continue }
            let path = layout.cards.pushing(FilePath(entry.member.file))
            guard let bytes = try? MirrorFile.read(path), MirrorJournal.digest(bytes) == entry.digest else { continue }
            state.members[entry.id] = entry.member
            (isDirty, isRenamed) = (true, true)
        }
    }

    /// Finds names in use, and members without a file.
    private func compare() throws(MirrorError) {
        // Hashes, as in `FileNames`. Two names with one hash, of which one is gone, are distinguished by the next run: hashes
        // differ from process to process.
        var found: Set<Int> = []
        for (folder, prefix) in [(layout.cards, ""), (layout.photos, "\(MirrorLayout.photoFolder)/")] {
            guard FileStatus(folder) != nil else { continue }
            try MirrorError.converting(.list, folder) {
                try Folder(folder).forEachNameOnce { name, _ in
                    let name = prefix + String(cString: name)
                    found.insert(name.hashValue)
                    names.reserve(name)
                }
            }
        }
        for (id, member) in state.members {
            names.reserve(member.file)
            if !found.contains(member.file.hashValue) { missing.insert(id) }
        }
        for id in missing { state.members[id]?.version = "" }
    }
}

extension MirrorFolder {
    package func version(of id: String) -> String? { state.members[id]?.version }

    /// The source is another one: its versions say nothing about the files that are here.
    package func forgetVersions() {
        for (id, member) in state.members where !member.isPhoto { state.members[id]?.version = "" }
        isDirty = true
    }

    /// The number of cards.
    package var cards: Int { state.members.values.count { !$0.isPhoto } }

    /// The bytes of a member's file; nil if it has none.
    package func bytes(of id: String) -> [UInt8]? {
        state.members[id].flatMap { try? MirrorFile.read(path($0.file)) }
    }

    /// Notes what a card was found to name, see `MirrorItem.photos`; it is written with the next commit.
    package func note(photos: [String: String], of id: String) {
        guard state.members[id] != nil, state.photos[id] != photos else { return }
        state.photos[id] = photos
        isDirty = true
    }

    private func path(_ file: String) -> FilePath { layout.cards.pushing(FilePath(file)) }

    /// Writes a batch, some hundred at most; each file is open meanwhile. Equal bytes are not written. All files are on the
    /// disk, with their names, once this returns.
    /// Of items with one id, the last counts.
    @discardableResult
    package func put(_ all: [MirrorItem]) throws(MirrorError) -> [MirrorChange] {
        var last: [String: Int] = [:]
        for (index, item) in all.enumerated() { last[item.id] = index }
        let items = all.enumerated().filter { last[$1.id] == $0 }.map(\.element)
        let changes = items.map(change)
        if isDry { return changes }
        try MirrorError.converting(.write, layout.cards) {
            defer { staged.close() }
            let written = zip(items, changes).filter { $0.1 != .unchanged }.map(\.0)
            let temporaries = try written.map { try staged.write($0.bytes) }
            try staged.flush()
            var created: [(MirrorItem, FilePath)] = []
            for (item, temporary) in zip(written, temporaries) {
                guard let file = state.members[item.id]?.file, !missing.contains(item.id) else {
                    created.append((item, temporary))
                    continue
                }
                try AtomicFile.rename(temporary, to: path(file))
                isRenamed = true
            }
            try create(created)
        }
        for item in items {
            guard let member = state.members[item.id] else { continue }
            if member.version == item.version, state.photos[item.id] == item.photos { continue }
            state.members[item.id]?.version = item.version
            state.photos[item.id] = item.photos
            isDirty = true
        }
        return changes
    }

    private func change(_ item: MirrorItem) -> MirrorChange {
        guard let member = state.members[item.id], !missing.contains(item.id) else { return .added }
        return MirrorFile.holds(path(member.file), item.bytes) ? .unchanged : .changed
    }

    /// Places new files. A name that another program takes meanwhile is left to it.
    private func create(_ items: [(MirrorItem, FilePath)]) throws {
        var rest = items
        while !rest.isEmpty {
            let members = rest.map { item, _ in
                if let lost = state.members[item.id] { names.release(lost.file) }
                return MirrorState.Member(file: names.choose(for: item), version: item.version)
            }
            try journal.append(
                zip(rest, members).map {
                    .init(id: $0.0.id, member: $1, digest: MirrorJournal.digest($0.0.bytes))
                })
            var clashes: [(MirrorItem, FilePath)] = []
            for (index, (item, temporary)) in rest.enumerated() {
                do {
                    if case .photo = item.place { try Folder.make(layout.photos, mode: 0o755) }
                    try AtomicFile.renameNoReplace(temporary, to: path(members[index].file))
                } catch Errno.fileExists {
                    clashes.append((item, temporary))
                    continue
                }
                note(item, members[index])
            }
            rest = clashes
        }
    }

    private func note(_ item: MirrorItem, _ member: MirrorState.Member) {
        if state.members.updateValue(member, forKey: item.id) == nil, case .card = item.place { added += 1 }
        missing.remove(item.id)
        (isDirty, isRenamed) = (true, true)
    }
}

extension MirrorFolder {
    /// Ends a run that reached all of the source: removes `gone` unless the guard withholds it, then commits the state.
    /// `attributes`: what the source remembers from now on, unless deletions are withheld, since it would then not
    /// report them again. Nothing is written if nothing changed.
    package func finish(
        removing gone: Set<String> = [], attributes: [String: String], allowsDeletion: Bool = false
    ) throws(MirrorError) -> MirrorOutcome {
        let gone = gone.filter { state.members[$0] != nil }
        let lost = gone.filter { state.members[$0]?.isPhoto == false }
        let deletions = DeletionGuard(members: cards - added, withheld: state.withheld)
        let isPermitted = allowsDeletion || deletions.permits(lost)
        if !isPermitted {
            if state.withheld != lost { (state.withheld, isDirty) = (lost, true) }
        } else {
            if !isDry { try remove(gone) }
            if !state.withheld.isEmpty { (state.withheld, isDirty) = ([], true) }
            if state.attributes != attributes { (state.attributes, isDirty) = (attributes, true) }
        }
        try commit()
        return isPermitted ? MirrorOutcome(removed: lost.count) : MirrorOutcome(withheld: lost.count)
    }

    /// Removes photos that no card names any more, and commits. What the source remembers stays.
    package func remove(photos: Set<String>) throws(MirrorError) {
        if !isDry { try remove(photos.filter { state.members[$0]?.isPhoto == true }) }
        try commit()
    }

    /// Commits what was placed so far; the source continues at the place where the last complete run ended.
    package func commit() throws(MirrorError) {
        guard !isDry, isDirty else { return }
        try MirrorError.converting(.write, layout.state) {
            if isRenamed {
                try AtomicFile.synchronise(folder: layout.cards)
                if FileStatus(layout.photos) != nil { try AtomicFile.synchronise(folder: layout.photos) }
            }
            let temporary = layout.temporary.appending(".state.tmp")
            let file = try FileDescriptor.open(
                temporary, .writeOnly, options: [.create, .truncate, .closeOnExec, .noFollow],
                permissions: .ownerReadWrite)
            try file.closeAfter {
                try state.write { _ = try file.writeAll($0) }
                if fsync(file.rawValue) != 0, ![EINVAL, ENOTSUP].contains(errno) { throw Errno(rawValue: errno) }
            }
            try AtomicFile.rename(temporary, to: layout.state)
            try AtomicFile.synchronise(folder: layout.root)
            journal.remove()
        }
        (isDirty, isRenamed) = (false, false)
    }

    private func remove(_ gone: Set<String>) throws(MirrorError) {
        guard !gone.isEmpty else { return }
        try MirrorError.converting(.write, layout.trash) {
            var trash = MirrorTrash(layout.trash)
            for id in gone.sorted() {
                guard let member = state.members.removeValue(forKey: id) else { continue }
                state.photos[id] = nil
                if !missing.contains(id) { try trash.take(path(member.file)) }
                missing.remove(id)
                names.release(member.file)
                (isDirty, isRenamed) = (true, true)
            }
            trash.prune()
        }
    }
}

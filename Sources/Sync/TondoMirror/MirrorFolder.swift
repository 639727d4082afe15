internal import Glibc
internal import SystemPackage
internal import TondoFiles

/// An open mirror: the only code that writes one. One process has it at a time, by a lock that ends with this object.
///
/// Only files that its state or journal lists are replaced or removed; a file of another program is never overwritten, and what
/// another program wrote into a file of the mirror goes to the trash before the server's version comes back. Whenever the
/// process is killed, the mirror's folder is valid, and the next run converges: files are on the disk before they get their
/// names, and have their names before the state lists them. On one thread.
package final class MirrorFolder {
    /// What had to be done without the state of the last run.
    package enum Recovery: String, Codable, Sendable { case lost, damaged }

    /// The moments at which a kill leaves something else on the disk, for tests.
    enum Step { case staged, announced, readied, exchanged, named, trashed, stateWritten, stateNamed, committed }

    /// The paths of this mirror; nothing else of the folder of mirrors is touched.
    package let layout: MirrorLayout
    /// What the mirror holds, and the source remembered at the end of the last run.
    package internal(set) var state: MirrorState
    /// Members whose files were removed by another program.
    package internal(set) var missing: Set<String> = []
    /// Members whose files do not have the bytes that the mirror wrote, or are not known to have them.
    package internal(set) var damaged: Set<String> = []
    /// Changes that were made here and that the source does not have yet, by the ids of their members.
    package internal(set) var pending: [String: PendingNote] = [:]
    /// What programs that change cards wrote into the mirror, as far as it is known.
    var pendingDigests: Set<FileDigest> = []
    /// The folder of the changes when their digests were read last.
    var pendingStatus: FileStatus?
    /// Changes that are over once the state is committed.
    var endedChanges: [PendingChange] = []
    /// Called before changes are forgotten: what became of them has to be on the disk.
    package var onForget: () throws -> Void = {}
    /// Nil: the state was there.
    package let recovery: Recovery?
    /// Nothing is written.
    package let isDry: Bool
    var onStep: (Step, FilePath) -> Void = { _, _ in }

    private let lock: FileDescriptor?
    var journal: MirrorJournal
    var staged: StagedFiles
    var trash: MirrorTrash
    var names = FileNames()
    var added = 0
    var isDirty = false
    var isRenamed = false
    /// What other programs did to the mirror's files.
    var touched = ForeignFiles()
    /// Files that are none of the mirror's.
    var strangers: Set<String> = []
    private var isVerified = false

    /// Creates missing folders. Throws `busy` at once if another process has the mirror. `dry`: nothing is created or
    /// locked.
    package init(layout: MirrorLayout, dry: Bool = false) throws(MirrorError) {
        self.layout = layout
        isDry = dry
        let lock = dry ? nil : try Self.lock(layout)
        let found: FoundState
        do throws(MirrorError) { found = try FoundState(layout: layout) } catch {
            // There is no object yet whose end would give the lock back.
            try? lock?.close()
            throw error
        }
        self.lock = lock
        state = found.state
        recovery = found.recovery
        journal = MirrorJournal(path: layout.journal)
        staged = StagedFiles(in: layout.temporary)
        trash = MirrorTrash(root: layout.trash, record: layout.trashAges)
        let announced = journal.entries()
        if !dry { try clear(announced) }
        adopt(announced)
        // Last: files that no member has by now are another program's.
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
        try MirrorError.converting(.write, at: layout.root) {
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

    /// Removes what a killed run left behind; what it had taken out of the mirror and is not known as the mirror's goes to
    /// the trash.
    private func clear(_ announced: [MirrorJournal.Entry]) throws(MirrorError) {
        staged.clear()
        let former = staged.former()
        try MirrorError.converting(.write, at: layout.trash) {
            if !former.isEmpty {
                let own = Set(state.members.values.map(\.digest)).union(announced.map(\.member.digest))
                for path in former { try settle(FormerFile(path: path), own: own) }
            }
            // Out of the way of the next state, and not lost.
            if recovery == .damaged { _ = try trash.take(layout.state) }
        }
        AtomicFile.clear(layout.cards)
    }

    /// Takes over what a killed run placed.
    private func adopt(_ announced: [MirrorJournal.Entry]) {
        for entry in announced {
            // The file that the entry was to replace is there again: two files must not become one member.
            if let old = state.members[entry.id]?.file, old != entry.member.file, FileStatus(self.path(old)) != nil {
                continue
            }
            let path = path(entry.member.file)
            guard let status = FileStatus(path, followingLinks: false),
                FileDigest(ofFileAt: path) == entry.member.digest
            else { continue }
            state.members[entry.id] = entry.member
            state.members[entry.id]?.stamp = status.stamp
            isDirty = true
            isRenamed = true
        }
    }

    /// Finds names in use, and members without a file or with another one.
    private func compare() throws(MirrorError) {
        let check = try MirrorCheck(state: state, layout: layout)
        missing = check.missing
        damaged = check.damaged
        for (id, stamp) in check.stamps { state.members[id]?.stamp = stamp }
        if !check.stamps.isEmpty { isDirty = true }
        // Hashes, as in `FileNames`. A stranger whose name has the hash of a member's is found by the next run: hashes differ
        // from process to process.
        let own = Set(state.members.values.lazy.map(\.file.hashValue))
        try MirrorCheck.forEachName(in: layout) { name in
            names.reserve(name)
            if !own.contains(name.hashValue), MirrorCheck.isVisible(name) { strangers.insert(name) }
        }
        takePending()
        for member in state.members.values { names.reserve(member.file) }
        // No version of the source equals an empty one, so the next listing asks for these.
        for id in incomplete { state.members[id]?.version = "" }
    }

    func path(_ file: String) -> FilePath { layout.cards.pushing(FilePath(file)) }
}

extension MirrorFolder {
    /// Members that the source has to be asked for again.
    package var incomplete: Set<String> { missing.union(damaged) }

    /// Whether the source has to be asked for this member again: its file is gone or not as the mirror wrote it.
    package func isIncomplete(_ id: String) -> Bool { missing.contains(id) || damaged.contains(id) }

    /// Reads all files once, so that those are found of which only the bytes changed, as by a failing disk. Files of an
    /// earlier version, whose digests are not known, are asked for again.
    package func verify() {
        if isVerified { return }
        isVerified = true
        for (id, member) in state.members where !isIncomplete(id) && !isPending(id) {
            let isSound = member.digest.isKnown && MirrorCheck.digest(of: member, in: layout) == member.digest
            if !isSound { damaged.insert(id) }
        }
        for id in damaged { state.members[id]?.version = "" }
    }

    /// What other programs did in the mirror's folder, as far as this run met it.
    package var foreign: ForeignFiles {
        var foreign = touched
        for name in strangers.sorted() { foreign.note(.init(file: name, change: .new)) }
        return foreign
    }

    /// The version at the source of the stored file; empty: it is not known. Nil: there is no such member.
    package func version(of id: String) -> String? { state.members[id]?.version }

    /// The source is another one: its versions say nothing about the files that are here.
    package func forgetVersions() {
        for id in Array(state.members.keys) where state.members[id]?.isPhoto == false {
            state.members[id]?.version = ""
        }
        isDirty = true
    }

    /// The number of cards.
    package var cards: Int { state.members.values.count { !$0.isPhoto } }

    /// The bytes of a member's file; nil if it has none, or other ones than the mirror wrote: what another program wrote is
    /// not the source's.
    package func bytes(of id: String) -> [UInt8]? {
        guard let member = state.members[id], let bytes = try? MirrorFile.read(path(member.file)) else { return nil }
        return !member.digest.isKnown || FileDigest(bytes) == member.digest ? bytes : nil
    }

    /// Notes what a card was found to name, see `MirrorItem.photos`; it is written with the next commit.
    package func note(photos: [String: String], of id: String) {
        guard state.members[id] != nil, state.photos[id] != photos else { return }
        state.photos[id] = photos
        isDirty = true
    }
}

internal import SystemPackage
internal import TondoFiles

/// Changes that were made here and that the source does not have yet.
extension MirrorFolder {
    /// The mirror's card is as it was changed here, and stays so until the source has the change, or has refused it.
    package func isPending(_ id: String) -> Bool { pending[id] != nil }

    /// Takes over the cards that were changed here: they are neither lost nor damaged.
    func takePending() {
        pendingStatus = FileStatus(layout.pending)
        for note in PendingChanges(layout).notes() {
            pending[note.id] = note
            pendingDigests.formUnion(note.digests)
            guard isInPlace(note) else { continue }
            missing.remove(note.id)
            damaged.remove(note.id)
            strangers.remove(note.file)
        }
    }

    private func isInPlace(_ note: PendingNote) -> Bool {
        let path = path(state.members[note.id]?.file ?? note.file)
        guard let after = note.after else { return FileStatus(path, followingLinks: false) == nil }
        return FileDigest(ofFileAt: path) == after
    }

    /// Whether a program that changes cards wrote this: also one that did it since the mirror was opened.
    func isOfProgram(_ digest: FileDigest) -> Bool {
        if pendingDigests.contains(digest) { return true }
        // Each change is a rename in its folder. Without one, thousands of files are not read for each file of another program.
        let status = FileStatus(layout.pending)
        if status == pendingStatus { return false }
        pendingStatus = status
        pendingDigests.formUnion(PendingChanges(layout).notes().flatMap(\.digests))
        return pendingDigests.contains(digest)
    }

    /// Makes what a change makes another card, in the mirror, too. False: it became another change meanwhile, and stays.
    package func replace(_ change: PendingChange, by next: PendingChange) throws(MirrorError) -> Bool {
        try MirrorError.converting(.write, at: layout.pending) {
            let isReplaced = try PendingChanges(layout).replace(change, by: next) {
                // A card that another program changed meanwhile is repaired as ever.
                guard let after = next.after, isInPlace(PendingNote(change)) else { return }
                let path = path(state.members[change.id]?.file ?? change.file)
                try AtomicFile.writeThrough(after, to: path, permissions: AtomicFile.shared)
            }
            if isReplaced {
                pending[change.id] = PendingNote(next)
                pendingDigests.formUnion(PendingNote(next).digests)
            }
            return isReplaced
        }
    }

    /// Ends a change that is none of this source's, and has the card fetched again. What the change made is in the trash then.
    package func abandon(_ change: PendingChange) throws(MirrorError) {
        try makeRoomForEnded()
        pending[change.id] = nil
        let kept = try keep(change)
        if let member = state.members[change.id] {
            if FileStatus(path(member.file)) == nil { missing.insert(change.id) } else { damaged.insert(change.id) }
            state.members[change.id]?.version = ""
            isDirty = true
        } else if kept != nil, FileDigest(ofFileAt: path(change.file)) == change.after.map({ FileDigest($0) }) {
            // A card that was created here is none of the source's.
            strangers.remove(change.file)
            AtomicFile.remove(path(change.file))
        }
        endedChanges.append(change)
    }

    /// Ends a change once it is known what the source has: the mirror has that, too, before the change is forgotten. `item`: the
    /// card there; nil: there is none. `isKept`: what the change would have made is kept in the trash; returns its place below
    /// the mirror's folder.
    @discardableResult
    package func end(_ change: PendingChange, with item: MirrorItem?, isKept: Bool) throws(MirrorError) -> String? {
        try makeRoomForEnded()
        let kept = isKept ? try keep(change) : nil
        try MirrorError.converting(.write, at: layout.cards) { try makeWay(for: item, of: change) }
        pending[change.id] = nil
        if let item { try put([item]) }
        endedChanges.append(change)
        return kept
    }

    /// A state of thousands of members is not written for each of as many changes. A run that is killed before asks the source.
    /// Called before the next one ends: by then the run knows what became of those before it.
    private func makeRoomForEnded() throws(MirrorError) { if endedChanges.count >= Self.mostEnded { try commit() } }

    private static let mostEnded = 16

    /// Forgets the changes whose results are in the state on the disk, and in the report.
    func forgetEnded() throws {
        if !endedChanges.isEmpty { try onForget() }
        for change in endedChanges { try PendingChanges(layout).end(change) }
        endedChanges = []
    }

    /// Whether changes of an item are sent, from the next commit on, also of a run that fails: see `MirrorState.isWritable`.
    /// `permissions`: by the beginnings of the names of items.
    package func setWritable(_ permissions: [String: Bool]) {
        var attributes = state.attributes.filter { !$0.key.hasPrefix(MirrorState.writable) }
        for (start, isPermitted) in permissions {
            attributes[MirrorState.writable + start] = isPermitted ? MirrorState.yes : "no"
        }
        if attributes == state.attributes { return }
        state.attributes = attributes
        isDirty = true
    }

    /// The bytes of the change, in a file of the trash.
    @discardableResult
    private func keep(_ change: PendingChange) throws(MirrorError) -> String? {
        guard let after = change.made else { return nil }
        return try MirrorError.converting(.write, at: layout.trash) {
            let name = FilePath(change.file).lastComponent?.string ?? "card.vcf"
            let path = layout.temporary.appending("kept-\(name)")
            try AtomicFile.writeThrough(after, to: path, permissions: .ownerReadWrite)
            return try trash.take(path, as: name)
        }
    }

    /// A card that was created here becomes a member; one that the source does not have leaves the mirror.
    private func makeWay(for item: MirrorItem?, of change: PendingChange) throws {
        let path = path(change.file)
        if let after = change.after, FileDigest(ofFileAt: path) == FileDigest(after) {
            if let member = state.members[change.id] {
                // The source's card came under another name while this one was made. Only then all members are looked at.
                if member.file != change.file, !state.members.values.contains(where: { $0.file == change.file }) {
                    strangers.remove(change.file)
                    AtomicFile.remove(path)
                }
            } else {
                strangers.remove(change.file)
                state.members[change.id] = .init(file: change.file, version: "", digest: FileDigest(after))
                isDirty = true
            }
        }
        guard item == nil, let member = state.members.removeValue(forKey: change.id) else { return }
        state.photos[change.id] = nil
        missing.remove(change.id)
        damaged.remove(change.id)
        names.release(member.file)
        isDirty = true
        isRenamed = true
        let leaving = staged.leaving(FilePath(member.file).lastComponent?.string ?? "")
        do { try AtomicFile.renameNoReplace(self.path(member.file), to: leaving) } catch Errno.noSuchFileOrDirectory {
            return
        }
        try settle(FormerFile(path: leaving), own: [member.digest], file: member.file)
    }
}

internal import SystemPackage
internal import TondoFiles

/// Changes that were made here and that the source does not have yet.
extension MirrorFolder {
    /// The mirror's card is as it was changed here, and stays so until the source has the change, or has refused it.
    package func isPending(_ id: String) -> Bool { pending[id] != nil }

    /// Takes over the cards that were changed here: they are neither lost nor damaged.
    func takePending() {
        for change in PendingChanges(layout).all() {
            pending[change.id] = change
            guard isInPlace(change) else { continue }
            missing.remove(change.id)
            damaged.remove(change.id)
            strangers.remove(change.file)
        }
    }

    private func isInPlace(_ change: PendingChange) -> Bool {
        let path = path(state.members[change.id]?.file ?? change.file)
        guard let after = change.after else { return FileStatus(path, followingLinks: false) == nil }
        return FileDigest(ofFileAt: path) == FileDigest(after)
    }

    /// What programs that change cards wrote into the mirror, and `pending` keeps.
    func pendingDigests() -> Set<FileDigest> {
        let cards = PendingChanges(layout).all().flatMap { [$0.after] + $0.bases }
        return Set(cards.compactMap { $0.map { FileDigest($0) } })
    }

    /// Makes what a change makes another card, in the mirror, too. False: it became another change meanwhile, and stays.
    package func replace(_ change: PendingChange, by next: PendingChange) throws(MirrorError) -> Bool {
        try MirrorError.converting(.write, at: layout.pending) {
            let isReplaced = try PendingChanges(layout).replace(change, by: next) {
                // A card that another program changed meanwhile is repaired as ever.
                guard let after = next.after, isInPlace(change) else { return }
                let path = path(state.members[change.id]?.file ?? change.file)
                try AtomicFile.writeThrough(after, to: path, permissions: AtomicFile.shared)
            }
            if isReplaced { pending[change.id] = next }
            return isReplaced
        }
    }

    /// Ends a change that is none of this source's, and has the card fetched again.
    package func abandon(_ change: PendingChange) throws(MirrorError) {
        pending[change.id] = nil
        if let member = state.members[change.id] {
            if FileStatus(path(member.file)) == nil { missing.insert(change.id) } else { damaged.insert(change.id) }
            state.members[change.id]?.version = ""
            isDirty = true
        }
        try keep(change)
        try MirrorError.converting(.write, at: layout.pending) { try PendingChanges(layout).end(change) }
    }

    /// Ends a change once it is known what the source has: the mirror has that, too, before the change is forgotten. `item`: the
    /// card there; nil: there is none. `isKept`: what the change would have made is kept in the trash; returns its place below
    /// the mirror's folder.
    @discardableResult
    package func end(_ change: PendingChange, with item: MirrorItem?, isKept: Bool) throws(MirrorError) -> String? {
        let kept = isKept ? try keep(change) : nil
        try MirrorError.converting(.write, at: layout.cards) { try makeWay(for: item, of: change) }
        pending[change.id] = nil
        if let item { try put([item]) }
        try commit()
        try MirrorError.converting(.write, at: layout.pending) { try PendingChanges(layout).end(change) }
        return kept
    }

    /// The bytes of the change, in a file of the trash.
    @discardableResult
    private func keep(_ change: PendingChange) throws(MirrorError) -> String? {
        guard let after = change.after else { return nil }
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
        if state.members[change.id] == nil, let after = change.after, FileDigest(ofFileAt: path) == FileDigest(after) {
            strangers.remove(change.file)
            state.members[change.id] = .init(file: change.file, version: "", digest: FileDigest(after))
            isDirty = true
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

internal import Glibc
internal import SystemPackage
internal import TondoFiles

extension MirrorFolder {
    /// Ends a run that reached all of the source: removes `gone` unless the guard withholds it, then commits the state.
    /// `attributes`: what the source remembers from now on, unless deletions are withheld, since it would then not
    /// report them again. Nothing is written if nothing changed.
    package func finish(
        removing gone: Set<String> = [], attributes: [String: String], allowsDeletion: Bool = false
    ) throws(MirrorError) -> MirrorOutcome {
        let gone = gone.filter { state.members[$0] != nil }
        let lost = gone.filter { state.members[$0]?.isPhoto == false }
        // Cards that this run added must not raise the number that may go.
        let deletions = DeletionGuard(members: cards - added, withheld: state.withheld)
        let isPermitted = allowsDeletion || deletions.permits(lost)
        if !isPermitted {
            if state.withheld != lost {
                state.withheld = lost
                isDirty = true
            }
        } else {
            if !isDry { try remove(gone) }
            if !state.withheld.isEmpty {
                state.withheld = []
                isDirty = true
            }
            if state.attributes != attributes {
                state.attributes = attributes
                isDirty = true
            }
        }
        try commit()
        if !isDry { trash.prune() }
        return isPermitted ? MirrorOutcome(removed: lost.count) : MirrorOutcome(withheld: lost.count)
    }

    /// Removes photos that no card names any more, and commits. What the source remembers stays.
    package func remove(photos: Set<String>) throws(MirrorError) {
        if !isDry { try remove(photos.filter { state.members[$0]?.isPhoto == true }) }
        try commit()
    }

    /// Commits what was placed so far; the source continues at the place where the last complete run ended.
    package func commit() throws(MirrorError) {
        guard !isDry else { return }
        if isDirty { try commitState() }
        try MirrorError.converting(.write, at: layout.pending) { try forgetEnded() }
    }

    private func commitState() throws(MirrorError) {
        try MirrorError.converting(.write, at: layout.state) {
            // The state must not list a name that a power cut could still undo.
            if isRenamed {
                try AtomicFile.synchronise(folder: layout.cards)
                if FileStatus(layout.photos) != nil { try AtomicFile.synchronise(folder: layout.photos) }
            }
            try AtomicFile.write(to: layout.state, permissions: .ownerReadWrite, temporaries: layout.temporary) {
                file in
                try state.write { _ = try file.writeAll($0) }
                try AtomicFile.synchronise(file)
            } install: { temporary in
                onStep(.stateWritten, layout.state)
                try name(state: temporary)
                onStep(.stateNamed, layout.state)
            }
            try AtomicFile.synchronise(folder: layout.root)
            // Not earlier: until the name of the state is on the disk, the next run needs the journal.
            journal.remove()
            onStep(.committed, layout.state)
        }
        isDirty = false
        isRenamed = false
    }

    /// The state before stays, for the case that this one is lost.
    private func name(state temporary: FilePath) throws {
        guard FileStatus(layout.state, followingLinks: false)?.kind == .regular,
            AtomicFile.exchange(temporary, with: layout.state) == nil
        else { return try AtomicFile.rename(temporary, to: layout.state) }
        onStep(.exchanged, layout.state)
        try AtomicFile.rename(temporary, to: layout.formerState)
    }

    private func remove(_ gone: Set<String>) throws(MirrorError) {
        guard !gone.isEmpty else { return }
        try MirrorError.converting(.write, at: layout.trash) {
            for id in gone.sorted() {
                guard let member = state.members.removeValue(forKey: id) else { continue }
                state.photos[id] = nil
                if !missing.contains(id) { try discard(member) }
                missing.remove(id)
                damaged.remove(id)
                names.release(member.file)
                isDirty = true
                isRenamed = true
            }
        }
    }

    /// Every file goes to the trash; one that is not as the mirror wrote it is named, too.
    private func discard(_ member: MirrorState.Member) throws {
        guard let trashed = try trash.take(path(member.file)) else { return }
        onStep(.trashed, layout.trash)
        let digest = FileDigest(ofFileAt: layout.root.pushing(FilePath(trashed)))
        if member.digest.isKnown, digest != member.digest, digest.map({ !isOfProgram($0) }) ?? true {
            touched.note(.init(file: member.file, change: .changed, trash: trashed))
        }
    }
}

internal import SystemPackage
internal import TondoFiles

extension MirrorFolder {
    /// An item whose file is written and has no name in the mirror yet.
    private struct Written {
        let item: MirrorItem
        let file: StagedFiles.Staged

        func member(named name: String) -> MirrorState.Member {
            MirrorState.Member(file: name, version: item.version, digest: file.digest, stamp: file.stamp)
        }
    }

    /// Writes a batch, some hundred at most; each file is open meanwhile. Equal bytes are not written. All files are on the
    /// disk, with their names, once this returns.
    /// Of items with one id, the last counts.
    @discardableResult
    package func put(_ all: [MirrorItem]) throws(MirrorError) -> [MirrorChange] {
        var last: [String: Int] = [:]
        for (index, item) in all.enumerated() { last[item.id] = index }
        let items = all.enumerated().filter { last[$1.id] == $0 }.map(\.element)
        let digests = items.map { FileDigest($0.bytes) }
        if !strangers.isEmpty { for item in items { claim(item) } }
        let changes = zip(items, digests).map { change($0, digest: $1) }
        if isDry {
            for (item, change) in zip(items, changes) { noteTrial(item, change: change) }
            return changes
        }
        try MirrorError.converting(.write, at: layout.cards) {
            defer { staged.close() }
            var written: [Written] = []
            for (index, item) in items.enumerated() where changes[index] != .unchanged {
                written.append(Written(item: item, file: try staged.write(item.bytes, digest: digests[index])))
            }
            try staged.flush()
            onStep(.staged, layout.temporary)
            // A file that is gone has nothing to exchange its name with.
            let isNew = { (item: MirrorItem) in self.state.members[item.id] == nil || self.missing.contains(item.id) }
            try replace(written.filter { !isNew($0.item) })
            try create(written.filter { isNew($0.item) })
        }
        for item in items { note(item) }
        return changes
    }

    /// Counts an item that is in the mirror now.
    private func note(_ item: MirrorItem) {
        guard let member = state.members[item.id] else { return }
        if member.version == item.version, state.photos[item.id] == item.photos { return }
        state.members[item.id]?.version = item.version
        state.photos[item.id] = item.photos
        isDirty = true
    }

    /// Notes what a run that writes would find.
    private func noteTrial(_ item: MirrorItem, change: MirrorChange) {
        guard let member = state.members[item.id] else { return }
        if missing.contains(item.id) { touched.note(.init(file: member.file, change: .removed)) }
        if damaged.contains(item.id), change == .changed { touched.note(.init(file: member.file, change: .changed)) }
    }

    /// Notes bytes that are known to be in the file now.
    private func note(_ digest: FileDigest, at stamp: UInt64, of id: String) {
        damaged.remove(id)
        guard let member = state.members[id], member.digest != digest || member.stamp != stamp else { return }
        state.members[id]?.digest = digest
        state.members[id]?.stamp = stamp
        isDirty = true
    }

    private func change(_ item: MirrorItem, digest: FileDigest) -> MirrorChange {
        guard let member = state.members[item.id], !missing.contains(item.id) else { return .added }
        let path = path(member.file)
        // Before the bytes are read: what is written meanwhile has another stamp.
        let stamp = FileStatus(path, followingLinks: false)?.stamp
        if let stamp, stamp == member.stamp, member.digest.isKnown, !damaged.contains(item.id) {
            return member.digest == digest ? .unchanged : .changed
        }
        guard let stamp, MirrorFile.holds(path, bytes: item.bytes) else { return .changed }
        note(digest, at: stamp, of: item.id)
        return .unchanged
    }
}

/// The files of a state that was lost.
extension MirrorFolder {
    /// Finds the file that an item had in a mirror whose state is lost: by its name, which is made of the card's UID and of the
    /// item's id. Where the state is there, perhaps an old one of a backup, or no run was complete yet, the file may be another
    /// program's, and has to be equal.
    private func claim(_ item: MirrorItem) {
        if state.members[item.id] != nil { return }
        let file = FileNames.former(of: item).first { name in
            strangers.contains(name) && (recovery != nil || MirrorFile.holds(path(name), bytes: item.bytes))
        }
        guard let file else { return }
        strangers.remove(file)
        state.members[item.id] = MirrorState.Member(file: file, version: "")
        isDirty = true
    }
}

/// Files that get the place of others.
extension MirrorFolder {
    private func replace(_ written: [Written]) throws {
        if written.isEmpty { return }
        let members = written.map { $0.member(named: state.members[$0.item.id]?.file ?? "") }
        // Before the first exchange: whatever a kill leaves then has a digest that is known as the mirror's.
        try journal.append(zip(written, members).map { .init(id: $0.item.id, member: $1) })
        onStep(.announced, layout.journal)
        for (new, member) in zip(written, members) {
            let name = FilePath(member.file).lastComponent?.string ?? ""
            // The exchange gives this name to the former file, which the next run keeps until it knows whose it is.
            let leaving = staged.leaving(name)
            try AtomicFile.rename(new.file.path, to: leaving)
            onStep(.readied, path(member.file))
            let own = state.members[new.item.id]?.digest ?? .unknown
            try exchange(leaving, with: member.file, own: own)
            state.members[new.item.id] = member
            damaged.remove(new.item.id)
            isDirty = true
            isRenamed = true
        }
    }

    /// Gives a file its name. What had the name before takes the other one in the same moment, so that nothing is lost that
    /// another program writes there, however late.
    private func exchange(_ new: FilePath, with file: String, own: FileDigest) throws {
        let path = path(file)
        while true {
            switch AtomicFile.exchange(new, with: path) {
            case nil:
                onStep(.exchanged, path)
                return try settle(FormerFile(path: new), own: [own], file: file)
            case .noSuchFileOrDirectory?: break
            case .invalidArgument?, .noFunction?:
                // NFS and FAT cannot exchange names: for a moment there is no file.
                let former = staged.leaving(FilePath(file).lastComponent?.string ?? "")
                do { try AtomicFile.renameNoReplace(path, to: former) } catch Errno.noSuchFileOrDirectory { break }
                onStep(.exchanged, path)
                try settle(FormerFile(path: former), own: [own], file: file)
            case let error?: throw error
            }
            do {
                try AtomicFile.renameNoReplace(new, to: path)
                return onStep(.named, path)
            } catch Errno.fileExists {
                // Another program put a file there in this moment.
                continue
            }
        }
    }

    /// Removes a file that left its place if the mirror wrote it; else it goes to the trash.
    func settle(_ former: FormerFile, own: Set<FileDigest>, file: String? = nil) throws {
        if former.removeIfOwn(own) || former.removeIfOwn(pendingDigests) { return }
        // Or one that a program made while this run goes on.
        if let digest = FileDigest(ofFileAt: former.path), isOfProgram(digest), former.removeIfOwn([digest]) { return }
        let name = former.name
        let trashed = try trash.take(former.path, as: name)
        onStep(.trashed, layout.trash)
        // Nothing is known about what an earlier version wrote.
        if own == [.unknown], recovery == nil { return }
        touched.note(.init(file: file ?? name, change: .changed, trash: trashed))
    }
}

/// Files with new names.
extension MirrorFolder {
    /// A name that another program takes meanwhile is left to it.
    private func create(_ items: [Written]) throws {
        var rest = items
        while !rest.isEmpty {
            let members = rest.map { new in
                // The lost file's name may serve its successor.
                if let lost = state.members[new.item.id] { names.release(lost.file) }
                return new.member(named: names.choose(for: new.item))
            }
            try journal.append(zip(rest, members).map { .init(id: $0.item.id, member: $1) })
            onStep(.announced, layout.journal)
            var clashes: [Written] = []
            for (new, member) in zip(rest, members) {
                do {
                    if case .photo = new.item.kind { try Folder.make(layout.photos, mode: 0o755) }
                    try AtomicFile.renameNoReplace(new.file.path, to: path(member.file))
                } catch Errno.fileExists {
                    clashes.append(new)
                    continue
                }
                onStep(.named, path(member.file))
                note(new.item, as: member)
            }
            rest = clashes
        }
    }

    private func note(_ item: MirrorItem, as member: MirrorState.Member) {
        if state.members.updateValue(member, forKey: item.id) == nil, case .card = item.kind { added += 1 }
        if missing.remove(item.id) != nil { touched.note(.init(file: member.file, change: .removed)) }
        isDirty = true
        isRenamed = true
    }
}

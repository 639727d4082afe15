internal import SystemPackage
internal import TondoDigest
internal import TondoFiles

/// The changes of a mirror that its source does not have yet: a file for each card, in `pending`. Programs that change a card
/// add to them, and only a run of `tondo sync` removes one, once the source's answer is in the mirror. Usable from any thread
/// and by several processes. Throws a `FileError` or an `Errno`.
package struct PendingChanges: Sendable {
    private let folder: FilePath

    package init(_ layout: MirrorLayout) { folder = layout.pending }

    /// Sorted by their names. A file that cannot be read, or is of a newer version, is none, and stays. The cards of one change are in
    /// memory at a time: there may be thousands.
    package func notes() -> [PendingNote] {
        names.compactMap { read(folder.appending($0)).map { PendingNote($0) } }
            .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// Files of changes that cannot be read, or are of a newer version: they are never sent, and stay. For reports, sorted.
    package func unreadable() -> [MirrorStatus.Change] {
        names.filter { read(folder.appending($0)) == nil }.map(\.string).sorted().map { name in
            .init(name: "\(folder.lastComponent?.string ?? "")/\(name)", code: "damaged", reason: Self.unreadable)
        }
    }

    private static let unreadable = "the file of this change is damaged or of a newer version, so it is not sent"

    private var names: [FilePath.Component] {
        ((try? Folder(folder).names()) ?? []).filter { $0.string.hasSuffix(Self.ending) }
    }

    /// The change of an item.
    package func change(of id: String) -> PendingChange? { read(path(of: id)) }

    /// The change of the card in a file, which is looked for in all of them.
    func note(ofFile file: String) -> PendingNote? { notes().first { $0.file == file } }

    /// Makes a change: `body` changes the card of the mirror, and nothing else. The change is on the disk before: a process
    /// that is killed meanwhile has made it. If `body` throws, nothing was changed. `current`: what the card is.
    package func add(_ change: PendingChange, current: PendingChange.Card?, body: () throws -> Void) throws {
        try locked {
            let former = self.change(of: change.id)
            let next =
                former.map { $0.followed(by: change.after, seen: current, name: change.name) } ?? change
            try write(next, orKeep: former, body: body)
        }
    }

    /// Puts another state of a change on the disk, such as `attempted`, and then calls `body`, which may change the card. False: it
    /// became another change meanwhile, and stays. If `body` throws, it stays, too.
    package func replace(_ change: PendingChange, by next: PendingChange, body: () throws -> Void = {}) throws -> Bool {
        try locked {
            guard self.change(of: change.id) == change else { return false }
            try write(next, orKeep: change, body: body)
            return true
        }
    }

    /// Removes a change that the source has, or has refused. One that became another one meanwhile stays.
    package func end(_ change: PendingChange) throws {
        try locked { if self.change(of: change.id) == change { AtomicFile.remove(path(of: change.id)) } }
    }

    /// Calls `body` while no program makes a change.
    package func holding<Result>(_ body: () throws -> Result) throws -> Result { try locked(body) }

    private static let ending = ".json"

    private func path(of id: String) -> FilePath {
        folder.appending(SHA256Digest(of: id.utf8).hexadecimal.prefix(32) + Self.ending)
    }

    private func read(_ path: FilePath) -> PendingChange? {
        (try? MirrorFile.read(path)).flatMap { try? PendingChange(decoding: $0) }
    }

    private func write(_ change: PendingChange) throws {
        try AtomicFile.writeThrough(try change.encoded(), to: path(of: change.id), permissions: .ownerReadWrite)
        try AtomicFile.synchronise(folder: folder)
    }

    /// Writes a change and calls `body`. If that throws, the change is the one of before again: its file is kept until then, since a
    /// full disk takes no other one.
    private func write(_ next: PendingChange, orKeep former: PendingChange?, body: () throws -> Void) throws {
        let path = path(of: next.id)
        let kept = FilePath(path.string + ".former")
        if let former, former != next {
            AtomicFile.remove(kept)
            do { try AtomicFile.link(path, to: kept) } catch {
                // FAT has no links.
                try AtomicFile.writeThrough(try former.encoded(), to: kept, permissions: .ownerReadWrite)
            }
        }
        defer { AtomicFile.remove(kept) }
        do {
            if former != next { try write(next) }
            try body()
        } catch {
            if former == nil {
                AtomicFile.remove(path)
            } else if former != next {
                try AtomicFile.rename(kept, to: path)
            }
            throw error
        }
    }

    /// No request is made meanwhile, so that nothing waits for a server.
    private func locked<Result>(_ body: () throws -> Result) throws -> Result {
        try Folder.make(folder, mode: 0o700) { try? AtomicFile.synchronise(folder: $0.removingLastComponent()) }
        let file = try FileDescriptor.open(
            folder.appending("lock"), .readWrite, options: [.create, .closeOnExec, .noFollow],
            permissions: .ownerReadWrite)
        return try file.closeAfter {
            try LockKind.exclusive.take(file.rawValue)
            return try body()
        }
    }
}

internal import Glibc
package import SystemPackage
internal import TondoContacts
internal import TondoFiles

/// Restores contacts from the trash to their old places. Usable from any thread and by several processes; blocks.
package struct ContactRestoration: Sendable {
    private let trash: Trash
    /// See `LockedBookFile`.
    var interruption: LockedBookFile.Interruption?
    var retry = ChangeRetry()

    package init(_ trash: Trash) { self.trash = trash }

    package enum Outcome: Equatable, Sendable {
        case restored
        /// It was never removed: a removal was killed before the book was written.
        case wasThere
    }

    /// The trash drops the contact once it is in its file, on the disk. A concurrent restoration by another program
    /// gets `notInTrash`. On any error the file and the trash stay unchanged.
    package func restore(_ item: Trash.Item) throws(RemovalProblem) -> Outcome {
        let path = FilePath(item.record.file)
        guard path.isAbsolute else { throw .book(item.path, .malformed("the path is not absolute")) }
        let lock = try ItemLock(item)
        defer { lock.end() }
        // Another program may create, change or delete the file meanwhile.
        let outcome = try retry.run { () throws(RemovalProblem) in try put(item, into: path) }
        guard let outcome else { throw .changed(path) }
        return outcome
    }

    /// Nil if the file changed meanwhile.
    private func put(_ item: Trash.Item, into path: FilePath) throws(RemovalProblem) -> Outcome? {
        guard FileStatus(path) != nil else {
            guard try create(path, of: item.record) else { return nil }
            trash.discard([item])
            return .restored
        }
        do throws(RemovalProblem) { return try insert(item, into: path) } catch {
            switch error {
            case .changed: return nil
            // Deleted before it was opened.
            case .file where FileStatus(path) == nil: return nil
            default: throw error
            }
        }
    }

    private func insert(_ item: Trash.Item, into path: FilePath) throws(RemovalProblem) -> Outcome {
        let (file, record) = (try LockedBookFile(path, inside: nil, interruption), item.record)
        // If links now lead elsewhere, it is another file.
        guard file.path == path else { throw .outside(path) }
        if record.isPresent(in: file.bytes) {
            trash.discard([item])
            return .wasThere
        }
        try file.checkWritable()
        let restored: [UInt8]
        do { restored = try record.restored(into: file.bytes) } catch { throw .book(path, error) }
        try file.replace(with: restored)
        trash.discard([item])
        return .restored
    }

    /// False if the file exists by now.
    private func create(_ path: FilePath, of record: TrashRecord) throws(RemovalProblem) -> Bool {
        let folder = path.removingLastComponent()
        guard FileStatus(folder)?.kind == .folder else { throw .noFolder(folder) }
        guard folder.withoutLinks == folder else { throw .outside(path) }
        do {
            try AtomicFile.create(path, with: record.restored(into: []), mode: record.mode ?? 0o600)
            return true
        } catch {
            if FileStatus(path) != nil { return false }
            throw RemovalProblem(error, path)
        }
    }
}

/// Keeps other restorations of an item waiting, by a lock of its file in the trash. The lock of the book's file is not enough:
/// it is a lock of the old file, and the new one has the name and no lock before the item is gone.
private struct ItemLock {
    private let descriptor: FileDescriptor

    /// Waits while another one is restoring. Throws `notInTrash` if it did, and `changed` if that takes too long.
    init(_ item: Trash.Item) throws(RemovalProblem) {
        do {
            descriptor = try FileDescriptor.open(item.path, .readOnly, options: [.closeOnExec, .nonBlocking])
        } catch {
            let reason = error as? Errno ?? .ioError
            guard reason == .noSuchFileOrDirectory else { throw .file(FileError(.read, item.path, reason)) }
            throw .notInTrash(item.record.id)
        }
        // As for the file of a book: where files cannot be locked, nothing is.
        do throws(Errno) { try LockKind.exclusive.take(descriptor.rawValue) } catch {
            if error == .timedOut {
                try? descriptor.close()
                throw .changed(item.path)
            }
        }
        if FileStatus(item.path) != nil { return }
        end()
        throw .notInTrash(item.record.id)
    }

    func end() { try? descriptor.close() }
}

extension Trash {
    /// The items of a book: its file, or files below its folder.
    package static func items(_ items: [Item], of book: FilePath) -> [Item] {
        let place = book.withoutLinks
        return items.filter { FilePath($0.record.file).starts(with: place) }
    }

    /// The items that a word means: the one whose file in the trash has this name, else those with this id, else those
    /// with this name, ignoring letter case and accents.
    package static func items(_ items: [Item], meantBy word: String) -> [Item] {
        let kept = items.filter { $0.name == word }
        if !kept.isEmpty { return kept }
        let same = items.filter { $0.record.id == word }
        if !same.isEmpty { return same }
        return items.filter { ContactSelection.names(word, id: $0.record.id, name: $0.record.name) }
    }
}

extension Trash.Item {
    /// The name of its file in the trash; unique.
    package var name: String { path.withoutExtension.lastComponent?.string ?? "" }
}

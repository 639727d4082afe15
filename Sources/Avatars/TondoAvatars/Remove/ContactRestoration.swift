internal import Glibc
package import SystemPackage
internal import TondoContacts
internal import TondoFiles
internal import TondoMirror

/// Restores contacts from the trash to their old places, or to what they were there. Usable from any thread and by several
/// processes; blocks.
package struct ContactRestoration: Sendable {
    private let trash: Trash
    private let states = MirrorStates()
    /// See `LockedBookFile`.
    var interruption: LockedBookFile.Interruption?
    var retry = ChangeRetry()
    /// Asked before each part of the items; those that are left are `interrupted`.
    package var isStopped: @Sendable () -> Bool = { false }

    package init(_ trash: Trash) { self.trash = trash }

    package enum Outcome: Equatable, Sendable {
        case restored
        /// It is in its file: a removal was killed before the book was written, or another program brought it back.
        case wasThere
    }

    /// The trash drops the contact once it is in its file, on the disk. A concurrent restoration by another program
    /// gets `notInTrash`. On any error the file and the trash stay unchanged.
    package func restore(_ item: Trash.Item) throws(ChangeProblem) -> Outcome {
        guard let result = restore([item]).first else { throw .notInTrash(item.record.id) }
        return try result.get()
    }

    /// The results in the order of the items. Contacts of one file are restored together: it is read and written once
    /// for many of them. If they do not fit together, each is tried alone.
    package func restore(_ items: [Trash.Item]) -> [Result<Outcome, ChangeProblem>] {
        var results: [Int: Result<Outcome, ChangeProblem>] = [:]
        let followed = followed(items)
        for index in items.indices where followed.contains(items[index].path) {
            let error = ContactsError.refused("a later change of the contact has to be undone first")
            results[index] = .failure(.book(FilePath(items[index].record.file), error))
        }
        let files = Dictionary(grouping: items.indices.filter { results[$0] == nil }) { items[$0].record.place }
        for indices in files.values.sorted(by: { $0[0] < $1[0] }) {
            // Each item keeps a file open.
            for start in stride(from: 0, to: indices.count, by: Self.batch) {
                let part = indices[start..<min(start + Self.batch, indices.count)]
                if isStopped() {
                    for index in part { results[index] = .failure(.interrupted) }
                    continue
                }
                let locked = part.compactMap { index -> LockedItem? in
                    do throws(ChangeProblem) { return try LockedItem(index, items[index]) } catch {
                        results[index] = .failure(error)
                        return nil
                    }
                }
                results.merge(restore(locked, into: FilePath(items[part[part.startIndex]].record.file))) { $1 }
                for item in locked { item.lock.end() }
            }
        }
        Set(items.map { FilePath($0.record.file).removingLastComponent() }).forEach(LeftBook.clearIfDue)
        return items.indices.compactMap { results[$0] }
    }

    private static let batch = 256

    /// The changes that another one of the same contact followed, which stays. Undone out of order, they would not lead back to
    /// what the contact was, even where its bytes are those that a change gave it.
    private func followed(_ items: [Trash.Item]) -> Set<FilePath> {
        let wanted = Set(items.lazy.filter(\.record.isChange).map(\.path))
        if wanted.isEmpty { return [] }
        var (followed, contacts): (Set<FilePath>, Set<String>) = ([], [])
        // The last change comes first.
        for item in trash.contents().items where item.record.isChange {
            if !wanted.contains(item.path) {
                contacts.insert(item.record.contactKey)
            } else if contacts.contains(item.record.contactKey) {
                followed.insert(item.path)
            }
        }
        return followed
    }

    private struct LockedItem {
        let index: Int
        let item: Trash.Item
        let lock: ItemLock

        init(_ index: Int, _ item: Trash.Item) throws(ChangeProblem) {
            self.index = index
            self.item = item
            guard FilePath(item.record.file).isAbsolute else {
                throw .book(item.path, .malformed("the path is not absolute"))
            }
            lock = try ItemLock(item)
        }
    }

    private func restore(_ items: [LockedItem], into path: FilePath) -> [Int: Result<Outcome, ChangeProblem>] {
        guard !items.isEmpty else { return [:] }
        do throws(ChangeProblem) {
            // Another program may create, change or delete the file meanwhile.
            let present = try retry.run { () throws(ChangeProblem) in try put(items.map(\.item), into: path) }
            guard let present else { throw .changed(path) }
            return Dictionary(
                uniqueKeysWithValues: items.enumerated().map { number, item in
                    (item.index, .success(present.contains(number) ? .wasThere : .restored))
                })
        } catch {
            guard items.count > 1, case .book = error else {
                return Dictionary(uniqueKeysWithValues: items.map { ($0.index, .failure(error)) })
            }
            return items.reduce(into: [:]) { $0.merge(restore([$1], into: path)) { $1 } }
        }
    }

    /// The indices of those that were never removed. Nil if the file changed meanwhile.
    private func put(_ items: [Trash.Item], into path: FilePath) throws(ChangeProblem) -> Set<Int>? {
        guard FileStatus(path) != nil else {
            let edit = try edit(of: items, in: path)
            guard try create(path, of: items.map(\.record), edit: edit) else { return nil }
            trash.discard(items)
            return []
        }
        do throws(ChangeProblem) { return try insert(items, into: path) } catch {
            switch error {
            case .changed: return nil
            // Deleted before it was opened.
            case .file where FileStatus(path) == nil: return nil
            default: throw error
            }
        }
    }

    private func insert(_ items: [Trash.Item], into path: FilePath) throws(ChangeProblem) -> Set<Int> {
        let names = Set(items.flatMap(\.record.otherNames)).sorted().map { FilePath($0) }
        let file = try LockedBookFile(path, inside: nil, names: { _ in names }, interruption)
        // If links now lead elsewhere, it is another file.
        guard file.path == path else { throw .outside(path) }
        let batch = try restored(items.map(\.record), into: file.bytes, path)
        if batch.present.count < items.count {
            let edit = try edit(of: items, in: path)
            // The server's card has another one in its place.
            if edit != nil, !items.allSatisfy(\.record.isChange) {
                throw .book(path, .refused("the card of the server has another contact by now"))
            }
            try file.checkWritable()
            let name = items.first?.record.name ?? ""
            try edit.change(path, from: file.bytes, to: batch.file, name: name) { () throws(ChangeProblem) in
                try file.replace(with: batch.file)
            }
        }
        trash.discard(items)
        return batch.present
    }

    /// The card of a mirror, which its server gets, too; nil: no mirror has the file.
    private func edit(of items: [Trash.Item], in path: FilePath) throws(ChangeProblem) -> MirrorEdit? {
        guard let mirror = MirrorLayout(holding: path) else { return nil }
        let names = Set(items.compactMap(\.record.mirrorItem))
        guard let edit = MirrorEdit(mirror, of: path, item: names.count == 1 ? names.first : nil, states: states) else {
            throw .mirror(path, name: mirror.name)
        }
        return edit
    }

    private func restored(
        _ records: [TrashRecord], into file: [UInt8], _ path: FilePath
    ) throws(ChangeProblem) -> TrashRecord.Batch {
        do throws(ContactsError) {
            guard records.count == 1, let record = records.first else {
                return try TrashRecord.restored(records, into: file)
            }
            if record.isChange { return try TrashRecord.restored(records, into: file) }
            if try record.isPresent(in: file) { return TrashRecord.Batch(file: file, present: [0]) }
            // Alone, it may fit at other places, too.
            return TrashRecord.Batch(file: try record.restored(into: file), present: [])
        } catch { throw .book(path, error) }
    }

    /// False if the file exists by now.
    private func create(
        _ path: FilePath, of records: [TrashRecord], edit: MirrorEdit?
    ) throws(ChangeProblem) -> Bool {
        let folder = path.removingLastComponent()
        guard FileStatus(folder)?.kind == .folder else { throw .noFolder(folder) }
        guard folder.withoutLinks == folder else { throw .outside(path) }
        let bytes = try restored(records, into: [], path).file
        do throws(ChangeProblem) {
            try edit.change(path, from: nil, to: bytes, name: records.first?.name ?? "") { () throws(ChangeProblem) in
                do {
                    if let attributes = records.lazy.compactMap(\.deletedFile).first {
                        try AtomicFile.create(path, with: bytes, attributes: attributes)
                    } else {
                        try AtomicFile.create(path, with: bytes, mode: 0o600)
                    }
                } catch { throw ChangeProblem(error, path) }
            }
        } catch {
            if FileStatus(path) != nil { return false }
            throw error
        }
        for name in Set(records.flatMap(\.otherNames)).map({ FilePath($0) }) { linkAgain(name, to: path) }
        return true
    }

    /// Gives the file another name back, unless something else has it. The contact is restored without it, too.
    private func linkAgain(_ name: FilePath, to path: FilePath) {
        let folder = name.removingLastComponent()
        if name.isAbsolute, folder.withoutLinks == folder { try? AtomicFile.link(path, to: name) }
    }
}

/// Keeps other restorations of an item waiting, by a lock of its file in the trash. The lock of the book's file is not enough:
/// it is a lock of the old file, and the new one has the name and no lock before the item is gone.
private struct ItemLock {
    private let descriptor: FileDescriptor

    /// Waits while another one is restoring. Throws `notInTrash` if it did, and `changed` if that takes too long.
    init(_ item: Trash.Item) throws(ChangeProblem) {
        do {
            descriptor = try FileDescriptor.open(item.path, .readOnly, options: [.closeOnExec, .nonBlocking])
        } catch {
            let reason = error as? Errno ?? .ioError
            guard reason == .noSuchFileOrDirectory else {
                throw .file(FileError(.read, path: item.path, errno: reason))
            }
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

    /// Finds items by words, many words in one list.
    package struct Lookup {
        private let items: [Item]
        private let byName: [String: [Item]]
        private let byID: [String: [Item]]

        package init(_ items: [Item]) {
            self.items = items
            byName = Dictionary(grouping: items, by: \.name)
            byID = Dictionary(grouping: items, by: \.record.id)
        }

        /// The item whose file in the trash has this name, else those with this id, else those with this name, ignoring
        /// letter case and accents. Of the changes of a contact, only the last thing that happened to it is meant: undone
        /// one by one, they lead back to what it was.
        package func items(meantBy word: String) -> [Item] {
            if let item = byName[word] { return item }
            let found =
                byID[word] ?? items.filter { ContactSelection.names(word, id: $0.record.id, name: $0.record.name) }
            var seen: Set<String> = []
            return found.filter { item in
                let isLast = seen.insert(item.record.contactKey).inserted
                return isLast || !item.record.isChange
            }
        }
    }
}

extension TrashRecord {
    /// Records of one file that are restored in the same way have the same text.
    fileprivate var place: String { "\(file)\n\(format)\n\(isChange)" }
    fileprivate var contactKey: String { "\(file)\n\(id)" }
}

extension Trash.Item {
    /// The name of its file in the trash; unique.
    package var name: String { path.withoutExtension.lastComponent?.string ?? "" }
}

package import SystemPackage
package import TondoContacts
internal import TondoFiles

/// A folder of removed contacts, one `TrashRecord` per file. Only its owner can read it. Usable from any thread and by
/// several processes; blocks.
package struct Trash: Sendable {
    package let folder: FilePath
    private let numbers = TrashNumbers()

    package init(_ folder: FilePath) { self.folder = folder }

    /// A removed contact and its file.
    package struct Item: Equatable, Sendable {
        package let path: FilePath
        package let record: TrashRecord
    }

    /// Why a file of the trash is not an item.
    package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        package let path: FilePath
        package let error: ContactsError

        package var description: String { "\(path): \(error)" }
    }

    /// `$XDG_DATA_HOME/tondo/trash`, else `~/.local/share/tondo/trash` (XDG Base Directory Specification, version 0.8:
    /// relative paths are ignored). Nil if the environment has neither variable.
    package static func standard(_ variable: @escaping (String) -> FilePath?) -> FilePath? {
        StandardPaths(variable: variable).data?.pushing("tondo/trash")
    }

    /// Why the folder cannot be listed, as one of the failures of `contents`: any contact may be in it then. Nil: it was listed, or
    /// is not there.
    package func obstacle(in failures: [Failure]) -> Failure? { failures.first { $0.path == folder } }

    /// All items, the last removed first.
    package func contents() -> (items: [Item], failures: [Failure]) { contents { _ in true } }

    /// The owners, among contacts in the trash, of ids that several contacts of a book claim: no other contact gets
    /// these ids, so that a repeated request to remove one removes no other. Reads only those records.
    package func owners(of book: FilePath) -> Identities.Owners {
        let items = contents { $0.stem?.hasSuffix(Self.ownerMark) == true }.items
        return Self.items(items, of: book).reduce(into: [:]) { owners, item in
            guard let card = item.record.owner else { return }
            let duplicates = max(item.record.duplicates, owners[item.record.id]?.duplicates ?? 0)
            owners[item.record.id] = Identities.Owner(card: card, duplicates: duplicates)
        }
    }

    private func contents(where isWanted: (FilePath) -> Bool) -> (items: [Item], failures: [Failure]) {
        var (items, failures): ([Item], [Failure]) = ([], [])
        let listing = FolderListing(folder, recursive: false, followsLinks: false)
        for failure in listing.failures where failure.errno != .noSuchFileOrDirectory {
            failures.append(Failure(path: failure.path, error: .unreadable(failure.errno)))
        }
        for name in listing.files where name.extension == Self.suffix && isWanted(name) {
            let path = folder.pushing(name)
            do throws(ContactsError) {
                items.append(Item(path: path, record: try TrashRecord(decoding: BookFile(path).array)))
            } catch { failures.append(Failure(path: path, error: error)) }
        }
        return (Self.newestFirst(items), failures)
    }

    /// Sorted by the numbers in their names, and not by time: a clock may have been set back.
    private static func newestFirst(_ items: [Item]) -> [Item] {
        let numbered = items.enumerated().map { offset, item in
            let seconds = Int64(clamping: item.record.removedAt).multipliedReportingOverflow(by: 1_000_000_000)
            let number = TrashNumbers.number(of: item.path) ?? (seconds.overflow ? .max : seconds.partialValue)
            return (number: number, offset: offset, item: item)
        }
        return numbered.sorted { ($0.number, $0.offset) > ($1.number, $1.offset) }.map(\.item)
    }

    private static let suffix = "json"
    /// The end of the names of records with an `owner`.
    private static let ownerMark = "-owner"

    /// Adds records, all or none; they are on the disk when this returns. Throws a `FileError`.
    func keep(_ records: [TrashRecord]) throws -> [Item] {
        var items: [Item] = []
        do {
            try Self.makePrivateFolder(folder)
            for record in records {
                let path = folder.appending(name(of: record))
                try AtomicFile.writeThrough(try record.encoded(), to: path, permissions: .ownerReadWrite)
                items.append(Item(path: path, record: record))
            }
            try AtomicFile.synchronise(folder: folder)
            return items
        } catch {
            discard(items)
            throw error
        }
    }

    /// Removes the records of contacts that are back in their files.
    func discard(_ items: [Item]) {
        for item in items { AtomicFile.remove(item.path) }
    }

    /// The number says what was removed last; the rest keeps records of several processes apart.
    private func name(of record: TrashRecord) -> String {
        let chance = String(UInt64.random(in: .min ... .max), radix: 36)
        let mark = record.owner == nil ? "" : Self.ownerMark
        return "\(record.removedAt)-\(numbers.next(in: folder))-\(chance)\(mark).\(Self.suffix)"
    }

    private static func makePrivateFolder(_ path: FilePath) throws {
        do {
            // A record is durable only if its folder is.
            try Folder.make(path, mode: 0o700) {
                try? AtomicFile.synchronise(folder: $0.removingLastComponent())
            }
        } catch { throw FileError(.write, path: path, errno: error) }
    }
}

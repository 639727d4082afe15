internal import Glibc
package import SystemPackage
package import TondoContacts

/// A folder of removed contacts, a `TrashRecord` a file. Only its owner may look into it. Usable from any thread and by
/// several processes; blocks.
package struct Trash: Sendable {
    package let folder: FilePath

    package init(_ folder: FilePath) { self.folder = folder }

    /// A removed contact and the file that keeps it.
    package struct Item: Equatable, Sendable {
        package let path: FilePath
        package let record: TrashRecord
    }

    /// Why a file of the trash is no item.
    package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        package let path: FilePath
        package let error: ContactsError

        package var description: String { "\(path): \(error)" }
    }

    /// `$XDG_DATA_HOME/tondo/trash`, else `~/.local/share/tondo/trash` (XDG Base Directory Specification, version 0.8:
    /// relative paths do not count). Nil when the environment tells neither.
    package static func standard(_ variable: (String) -> FilePath?) -> FilePath? {
        if let data = variable("XDG_DATA_HOME"), data.isAbsolute { return data.appending("tondo").appending("trash") }
        guard let home = variable("HOME"), home.isAbsolute else { return nil }
        return home.pushing(".local/share/tondo/trash")
    }

    /// Everything in it, what was removed last first.
    package func contents() -> (items: [Item], failures: [Failure]) { contents { _ in true } }

    /// Whose the ids are, among those that several contacts of a book gave themselves, of contacts that are in the trash:
    /// no other contact gets them, so that a repeated request to remove one removes no other. Reads only those records.
    package func owners(of book: FilePath) -> Identities.Owners {
        let items = contents { $0.stem?.hasSuffix(Self.ownerMark) == true }.items
        return Self.items(items, of: book).reduce(into: [:]) { owners, item in
            guard let card = item.record.owner else { return }
            let twins = max(item.record.twins, owners[item.record.id]?.twins ?? 0)
            owners[item.record.id] = Identities.Owner(card: card, twins: twins)
        }
    }

    private func contents(where isWanted: (FilePath) -> Bool) -> (items: [Item], failures: [Failure]) {
        var (items, failures): ([Item], [Failure]) = ([], [])
        let names = FolderListing(folder, recursive: false, followsLinks: false).files
        for name in names where name.extension == Self.suffix && isWanted(name) {
            let path = folder.pushing(name)
            do throws(ContactsError) {
                items.append(Item(path: path, record: try TrashRecord(decoding: BookFile(path).array)))
            } catch { failures.append(Failure(path: path, error: error)) }
        }
        return (Self.newestFirst(items), failures)
    }

    /// The last of a second first, too.
    private static func newestFirst(_ items: [Item]) -> [Item] {
        items.enumerated().sorted { one, other in
            let (first, second) = (one.element.record.removedAt, other.element.record.removedAt)
            return first == second ? one.offset > other.offset : first > second
        }.map(\.element)
    }

    private static let suffix = "json"
    /// Ends the names of records with an `owner`.
    private static let ownerMark = "-owner"

    /// Puts records into it, all or none; they are on the disk when this returns. Throws a `FileError`.
    func keep(_ records: [TrashRecord]) throws -> [Item] {
        var items: [Item] = []
        do {
            try Self.makePrivateFolder(folder)
            for record in records {
                let path = folder.appending(Self.name(of: record))
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

    /// Forgets contacts that are where they belong.
    func discard(_ items: [Item]) {
        for item in items { _ = item.path.withPlatformString { unlink($0) } }
    }

    /// Orders by time; the rest keeps those of one second, and of several processes, apart.
    private static func name(of record: TrashRecord) -> String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let nanoseconds = String(1_000_000_000 + now.tv_nsec).dropFirst()
        let chance = String(UInt64.random(in: .min ... .max), radix: 36)
        // The time of writing is whole: what is removed together may be written on both sides of a second's end.
        return
            "\(record.removedAt)-\(now.tv_sec)\(nanoseconds)-\(chance)\(record.owner == nil ? "" : ownerMark).\(suffix)"
    }

    private static func makePrivateFolder(_ path: FilePath) throws {
        if path.isEmpty || FileStatus(path)?.kind == .folder { return }
        let parent = path.removingLastComponent()
        if parent != path { try makePrivateFolder(parent) }
        let status = path.withPlatformString { mkdir($0, 0o700) }
        if status != 0, errno != EEXIST { throw FileError(.write, path, Errno(rawValue: errno)) }
        // A record is only kept when its folder is.
        try? AtomicFile.synchronise(folder: parent)
    }
}

internal import FoundationEssentials
internal import GRDB
internal import Glibc
internal import SystemPackage
internal import TondoFiles

/// Rebuilding the index from the files.
extension Index {
    /// Replaces the index that was seen, unless another process has done so meanwhile. In a read-only folder, it is
    /// built in memory. Returns the number of entries.
    func replace(_ state: inout State, reason: String) throws -> Int {
        if isReadOnly {
            disconnect(&state)
            let (queue, count) = try inMemory()
            state.connection = Connection(queue: queue, inode: nil)
            return count
        }
        let count: Int? = try folder.indexLock.hold(.exclusive, within: busyTimeout) {
            disconnect(&state)
            let file = try folder.root.status(Self.name)
            let isMissing = reason == Self.missing
            if let file, file.kind == .regular, isMissing || (state.seen ?? file.inode) != file.inode { return nil }
            return try make()
        }
        if let count, count > 0 || reason != Self.missing { state.notice = .rebuilt(reason: reason, entries: count) }
        return count ?? 0
    }

    /// An index in memory, and its number of entries.
    func inMemory() throws -> (queue: DatabaseQueue, entries: Int) {
        let queue = try DatabaseQueue()
        return (queue, try queue.inDatabase { try fill($0) })
    }

    /// Attempts of `rebuild(makingRoom:)`.
    private static let attempts = 4

    /// Rebuilds the index on a full disk. The old one is removed first, since its room is needed, too; `makeRoom` is
    /// called before each attempt until there is enough, or it returns false. Without room there is no index then: the
    /// next process that needs one builds it. Other processes wait meanwhile. A kill at any point leaves no index,
    /// never one with rows of missing files.
    func rebuild(makingRoom makeRoom: (_ attempt: Int) throws(CacheError) -> Bool) throws(CacheError) {
        try locked { state in
            try folder.indexLock.hold(.exclusive, within: busyTimeout) {
                disconnect(&state)
                state.seen = nil
                try moveAwayOld()
                for attempt in 0..<Self.attempts {
                    guard try makeRoom(attempt) else { return }
                    do {
                        _ = try make()
                        return
                    } catch {
                        if !isForLackOfRoom(error) { throw error }
                    }
                }
            }
        }
    }

    /// Call with the exclusive lock held. The old index stays in place until the new one is complete.
    private func make() throws -> Int {
        guard let path = folder.root.path(expected: folder.path) else { throw CacheError.missing(folder.path) }
        let draft = "index-\(TemporaryName.random())"
        _ = try folder.temporary.open(draft, flags: O_RDWR | O_CREAT | O_EXCL).closeAfter {}
        do {
            let count = try fillFile(Self.text(of: path.appending("tmp").appending(draft), in: folder.temporary))
            // Its name must not be on the disk before its pages are: SQLite notices lost pages only when it needs them.
            try folder.temporary.open(draft, flags: O_RDONLY).synchronize()
            try moveAwayOld()
            try folder.temporary.rename(draft, to: folder.root, as: Self.name)
            return count
        } catch {
            for suffix in Self.suffixes { try? folder.temporary.remove(draft + suffix) }
            throw error
        }
    }

    /// A log of the old index must never be applied to the new one. The index itself is moved first: without its log it
    /// would lack rows without any sign.
    private func moveAwayOld() throws(Errno) {
        for suffix in Self.suffixes {
            let name = Self.name + suffix
            switch try folder.root.status(name)?.kind {
            case nil: break
            case .regular: try folder.root.remove(name)
            default: try folder.root.rename(name, to: folder.temporary, as: "misplaced-\(TemporaryName.random())")
            }
        }
    }

    private func fillFile(_ path: String) throws -> Int {
        var configuration = Configuration()
        // A draft that a kill cuts off is removed, and a whole one is synced once.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF") }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        let count = try queue.inDatabase { database in
            let count = try fill(database)
            // Set before the file is in place: afterwards only one process at a time could switch the mode; the others
            // would fail.
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            return count
        }
        try queue.close()
        return count
    }

    /// Creates the tables and a row for every intact entry and negative entry. Returns the number of entries.
    private func fill(_ database: Database) throws -> Int {
        var count = 0
        try database.inTransaction {
            try Schema.create(database)
            var writer = IndexWriter(database: database)
            let objects = ObjectStore(folder: folder)
            for number in UInt8.min ... .max {
                guard let (shard, keys) = try content(objects, number: number) else { continue }
                for key in keys {
                    guard let entry = try shard.entry(key) else { continue }
                    try writer.put(entry)
                    count += 1
                }
            }
            for name in try folder.failures.names() {
                guard let key = CacheKey(name.string), let found = try FailureFile.read(key, in: folder.failures)
                else { continue }
                try writer.put(FailureRow(failure: found.failure, key: key, size: found.state.size))
            }
            return .commit
        }
        return count
    }

    /// A folder that can never be read counts as empty; a transient error may hide entries.
    private func content(_ objects: ObjectStore, number: UInt8) throws -> (shard: Shard, keys: [CacheKey])? {
        do {
            guard let shard = try objects.shard(number) else { return nil }
            return (shard, try shard.content().keys)
        } catch {
            if error.isTransient { throw error }
            return nil
        }
    }
}

package import SystemPackage
internal import TondoFiles

/// Queries of users and services. All results come from the index, after it was brought up to date.
extension AvatarCache {
    /// The cost does not depend on the size of the cache, so that it can be called for every scrape. Changes by other
    /// processes in the last five seconds may be missing.
    package func statistics() throws(CacheError) -> Statistics {
        try bringUpToDate()
        return try index.read { try $0.statistics() }
    }

    package func entries(_ query: EntryQuery) throws(CacheError) -> [Entry] {
        try bringUpToDate()
        return try index.read { try $0.entries(query) }
    }

    package func entry(_ key: CacheKey) throws(CacheError) -> Entry? {
        try bringUpToDate()
        return try index.read { try $0.entry(key) }
    }

    /// Keys that begin with these hexadecimal digits, in their order.
    package func keys(prefix: String, limit: Int) throws(CacheError) -> [CacheKey] {
        try bringUpToDate()
        return try index.read { try $0.keys(prefix: prefix.lowercased(), limit: limit) }
    }

    /// When and why an entry was removed, if that is recorded.
    package func removalRecord(of key: CacheKey) throws(CacheError) -> RemovalRecord? {
        try bringUpToDate()
        return try index.read { try $0.removalRecord(key) }
    }

    /// Removed entries of a contact, latest first, as far as they are recorded.
    package func removalRecords(contact: String) throws(CacheError) -> [RemovalRecord] {
        try bringUpToDate()
        return try index.read { try $0.removalRecords(contact: contact) }
    }

    /// The path of an entry's file, existing or not.
    package func file(of key: CacheKey) -> FilePath { path.appending(Self.relativePath(of: key)) }

    /// The same inside the cache folder. Its characters need no encoding in a URL.
    package static func relativePath(of key: CacheKey) -> String {
        "objects/\(ObjectStore.name(ofShard: key.shard))/\(key).png"
    }

    /// The key of an entry's file, given by its path.
    package static func key(ofFile path: FilePath) -> CacheKey? {
        guard let name = path.lastComponent?.string, name.hasSuffix(".png") else { return nil }
        return CacheKey(name.dropLast(4))
    }

    /// The result of `damage(of:)` for an entry that does not exist.
    package static let missing = "missing"

    /// Checks the bytes of an entry: nil if they are intact, else what is wrong. Removes nothing.
    package func damage(of key: CacheKey) throws(CacheError) -> String? {
        do {
            guard let state = try objects.status(key) else { return Self.missing }
            guard state.kind == .regular else { return "not a file" }
            let file = try objects.open(key)
            defer { try? file.close() }
            let entryFile = try EntryFile(file)
            do throws(EntryTrailer.Damage) { _ = try entryFile.entry(key: key) } catch { return error.rawValue }
            return nil
        } catch {
            if error.isTransient { throw CacheError(error, at: path) }
            return error == .noSuchFileOrDirectory ? Self.missing : error.lowercased
        }
    }

    /// Rebuilds the index from the files; returns the number of entries.
    package func rebuildIndex() throws(CacheError) -> Int {
        flush()
        return try index.rebuild(reason: "discarded on request")
    }

    /// Creates the folder again first, if it was deleted. An index without room for rows is used without them.
    func bringUpToDate() throws(CacheError) {
        flush()
        if isReadOnly { return }
        do throws(CacheError) {
            try inWholeFolder { () throws(CacheError) in
                // A deleted folder can still be listed: it is empty.
                if folder.presence == .gone { throw .missing(path) }
                try commitAbandoned()
            }
        } catch {
            if !error.isFull { throw error }
        }
    }
}

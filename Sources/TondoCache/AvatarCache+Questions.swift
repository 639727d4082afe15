package import SystemPackage

/// What a person or a service asks. All answers come from the index, after it was brought up to date.
extension AvatarCache {
    /// Costs the same however much the cache holds, so that it may be asked for every scrape. What other processes did
    /// in the last five seconds may be missing.
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

    /// When and why an entry went, if that is remembered.
    package func departure(of key: CacheKey) throws(CacheError) -> Departure? {
        try bringUpToDate()
        return try index.read { try $0.departure(key) }
    }

    /// What a contact showed and is gone, latest first, as far as it is remembered.
    package func departures(contact: String) throws(CacheError) -> [Departure] {
        try bringUpToDate()
        return try index.read { try $0.departures(contact: contact) }
    }

    /// Where an entry's file is, or would be.
    package func file(of key: CacheKey) -> FilePath {
        path.appending("objects").appending(Objects.name(ofShard: key.shard)).appending("\(key).png")
    }

    /// The key of an entry's file, given by its path.
    package static func key(ofFile path: FilePath) -> CacheKey? {
        guard let name = path.lastComponent?.string, name.hasSuffix(".png") else { return nil }
        return CacheKey(name.dropLast(4))
    }

    /// What `damage(of:)` tells of an entry that is not there.
    package static let missing = "missing"

    /// Whether the bytes of an entry are what was stored: nil when they are, else what is wrong. Removes nothing.
    package func damage(of key: CacheKey) throws(CacheError) -> String? {
        do {
            guard let state = try objects.status(key) else { return Self.missing }
            guard state.kind == .regular else { return "not a file" }
            let file = try objects.open(key)
            defer { try? file.close() }
            let sealed = try SealedFile(file)
            do throws(Seal.Damage) { _ = try sealed.entry(key: key) } catch { return error.rawValue }
            return nil
        } catch {
            if error.isPassing { throw CacheError(error, at: path) }
            return error == .noSuchFileOrDirectory ? Self.missing : error.lowercased
        }
    }

    /// Makes the index anew from the files; gives the number of entries.
    package func rebuildIndex() throws(CacheError) -> Int {
        flush()
        return try index.rebuild(reason: "asked for")
    }

    /// Makes the folder again first, if it was deleted. The index that has no room for rows answers without them.
    func bringUpToDate() throws(CacheError) {
        flush()
        if isReadOnly { return }
        do throws(CacheError) {
            try inWholeFolder { () throws(CacheError) in
                // A deleted folder can still be listed: it is empty.
                if folder.presence == .gone { throw .missing(path) }
                try settleAbandoned()
            }
        } catch {
            if !error.isFull { throw error }
        }
    }
}

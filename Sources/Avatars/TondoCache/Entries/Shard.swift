internal import Glibc
internal import SystemPackage
internal import TondoFiles

/// One of the 256 folders of entries, opened once for any number of its files. Links are not followed, so all of them
/// are in it.
struct Shard {
    let folder: Folder
    let number: UInt8

    /// The state of the key's file; nil if there is none.
    func status(_ key: CacheKey) throws(Errno) -> FileStatus? {
        for format in EntryFormat.allCases {
            let state = try ObjectStore.withShardName(of: key, format: format) { name throws(Errno) in
                try folder.status(name)
            }
            if let state { return state }
        }
        return nil
    }

    func open(_ key: CacheKey) throws(Errno) -> FileDescriptor {
        try ObjectStore.first { format throws(Errno) in
            try ObjectStore.withShardName(of: key, format: format) { name throws(Errno) in
                try folder.open(name, flags: O_RDONLY)
            }
        }
    }

    /// The entry of the key's file; nil if there is none, or it is damaged. An error means that it may exist.
    func entry(_ key: CacheKey) throws(Errno) -> Entry? {
        do {
            guard try status(key)?.kind == .regular else { return nil }
            let file = try open(key)
            defer { try? file.close() }
            let entryFile = try EntryFile(file)
            return try? entryFile.entry(key: key)
        } catch {
            if error.isTransient { throw error }
            return nil
        }
    }

    /// The state of the key's file, with its bytes if it is a regular file; nil if there is none.
    func file(_ key: CacheKey) throws(Errno) -> EntryFile? {
        let opened: FileDescriptor
        do { opened = try open(key) } catch {
            // Links and sockets cannot be opened; for all others, a `stat` before would cost a tenth of the time.
            guard let state = try status(key) else { return nil }
            if state.kind == .regular { throw error }
            return EntryFile(bytes: [], state: state)
        }
        defer { try? opened.close() }
        return try EntryFile(opened)
    }

    /// The names that are keys of this folder, and all other names. Call once.
    func content() throws(Errno) -> (keys: [CacheKey], others: [FilePath.Component]) {
        var (keys, others): ([CacheKey], [FilePath.Component]) = ([], [])
        var webps: [(CacheKey, FilePath.Component)] = []
        try folder.forEachNameOnce { name, _ in
            if let key = key(of: name, format: .png) {
                keys.append(key)
            } else if let key = key(of: name, format: .webp), let own = FilePath.Component(platformString: name) {
                webps.append((key, own))
            } else if let other = FilePath.Component(platformString: name) {
                others.append(other)
            }
        }
        if webps.isEmpty { return (keys, others) }
        // No recipe has two formats: beside a PNG of this key, another program put the file there.
        let known = Set(keys)
        for (key, name) in webps {
            if known.contains(key) { others.append(name) } else { keys.append(key) }
        }
        return (keys, others)
    }

    /// The key in a file's name, if it belongs to this folder.
    private func key(of name: UnsafePointer<CChar>, format: EntryFormat) -> CacheKey? {
        let digits = 2 * CacheKey.byteCount
        guard strlen(name) > digits, strcmp(name + digits, format == .png ? ".png" : ".webp") == 0,
            let key = CacheKey(digits: UnsafeRawBufferPointer(start: name, count: digits)), key.shard == number
        else { return nil }
        return key
    }
}

internal import Glibc
internal import SystemPackage
internal import TondoFiles
internal import TondoText

/// The entries' files, `objects/ab/KEY.png` or `KEY.webp`. A key belongs to one recipe, and so to one format, but does not
/// contain it: both names are tried. Changes in one of the 256 folders exclude removals from it, in every
/// process, so that a removal never takes a file that has just replaced the intended one.
struct ObjectStore: Sendable {
    let folder: CacheFolder

    /// The state of the key's file, by one call, for lookups. It follows a link in the place of one of the 256 folders;
    /// bytes read there are checked, and nothing is changed through this path.
    func fileState(_ key: CacheKey) -> FileStatus? {
        for format in EntryFormat.allCases {
            if let state = fileState(key, format: format) { return state }
        }
        return nil
    }

    /// The status of the file in this format.
    func fileState(_ key: CacheKey, format: EntryFormat) -> FileStatus? {
        try? Self.withName(of: key, format: format) { name throws(Errno) in try folder.objects.status(name) }
    }

    /// Opens the file of a glance.
    func openExisting(_ key: CacheKey) throws(Errno) -> FileDescriptor {
        try Self.first { format throws(Errno) in try openExisting(key, format: format) }
    }

    /// Opens the file in this format.
    func openExisting(_ key: CacheKey, format: EntryFormat) throws(Errno) -> FileDescriptor {
        try Self.withName(of: key, format: format) { name throws(Errno) in
            try folder.objects.open(name, flags: O_RDONLY)
        }
    }

    /// Whether the key's name leads to this very file, and its folder is not a link. Opens nothing: two calls instead
    /// of four, and only for files that this process placed, not for reading.
    func stands(_ placed: FileStatus, for key: CacheKey) -> Bool {
        let isFolder = try? Self.withName(of: key, format: .png) { name throws(Errno) in
            name[2] = 0
            return try folder.objects.status(name)?.kind == .folder
        }
        return isFolder == true && fileState(key)?.isSame(as: placed) == true
    }

    /// The state of the key's file; nil if there is none, or it cannot be an entry.
    func status(_ key: CacheKey) throws(Errno) -> FileStatus? {
        do { return try existingShard(key)?.status(key) } catch {
            if error.isTransient { throw error }
            return nil
        }
    }

    func open(_ key: CacheKey) throws(Errno) -> FileDescriptor {
        guard let shard = try existingShard(key) else { throw .noSuchFileOrDirectory }
        return try shard.open(key)
    }

    /// The entry of the key's file; nil if there is none, or it is damaged. An error means that it may exist.
    func entry(_ key: CacheKey) throws(Errno) -> Entry? {
        do { return try existingShard(key)?.entry(key) } catch {
            if error.isTransient { throw error }
            return nil
        }
    }

    /// One of the 256 folders, for many of its files; nil if there is no such folder, or something else in its place.
    func shard(_ number: UInt8) throws(Errno) -> Shard? {
        do { return Shard(folder: try folder.objects.folder(Self.name(ofShard: number)), number: number) } catch {
            if Self.meansNoShard(error) { return nil }
            throw error
        }
    }

    /// The keys in one of the 256 folders, of the names that are keys.
    func keys(inShard shard: UInt8) throws(Errno) -> [CacheKey] { try self.shard(shard)?.content().keys ?? [] }

    static func name(ofShard shard: UInt8) -> String { Hex.text(shard, digits: 2) }

    /// The key's file in this format, relative to the cache's folder.
    static func relativePath(of key: CacheKey, _ format: EntryFormat) -> String {
        "objects/\(name(ofShard: key.shard))/\(key)\(format.suffix)"
    }

    /// The path of the file that exists, inside the cache folder; of a PNG if there is none.
    func relativePath(of key: CacheKey) -> String { Self.relativePath(of: key, format(of: key) ?? .png) }

    /// By the name of the key's file; nil if there is none.
    private func format(of key: CacheKey) -> EntryFormat? {
        EntryFormat.allCases.first { format in
            (try? Self.withName(of: key, format: format) { name throws(Errno) in try folder.objects.status(name) })
                ?? nil != nil
        }
    }

    /// Gives a complete file in `tmp/` the key's name. Anything but a file in its place is moved away.
    func install(_ temporary: String, as key: CacheKey, format: EntryFormat) throws(Errno) {
        let shard = try shard(key, isMaking: true).folder
        // Shared: stores exclude removals, not each other.
        try shard.lock(.shared)
        do {
            try Self.withShardName(of: key, format: format) { name throws(Errno) in
                try folder.temporary.rename(temporary, to: shard, as: name)
            }
        } catch Errno.isDirectory {
            do { try moveAway(key, format: format, from: shard) } catch {
                // Another process moved it first.
                if error != .noSuchFileOrDirectory { throw error }
            }
            try Self.withShardName(of: key, format: format) { name throws(Errno) in
                try folder.temporary.rename(temporary, to: shard, as: name)
            }
        }
    }

    /// Like `install`, but only if the name is free: else false.
    func installNoReplace(_ temporary: String, as key: CacheKey, format: EntryFormat) throws(Errno) -> Bool {
        let shard = try shard(key, isMaking: true).folder
        try shard.lock(.shared)
        return try Self.withShardName(of: key, format: format) { name throws(Errno) in
            do throws(Errno) {
                try folder.temporary.renameNoReplace(temporary, to: shard, as: name)
                return true
            } catch {
                if error == .fileExists { return false }
                throw error
            }
        }
    }

    /// Like `install`, but only over the file with this inode: false if another one, or none, is there by now.
    func replace(
        _ inode: UInt64, with temporary: String, as key: CacheKey, format: EntryFormat
    ) throws(Errno) -> Bool {
        guard let shard = try existingShard(key)?.folder else { return false }
        try shard.lock(.exclusive)
        return try Self.withShardName(of: key, format: format) { name throws(Errno) in
            guard try shard.status(name)?.inode == inode else { return false }
            try folder.temporary.rename(temporary, to: shard, as: name)
            return true
        }
    }

    /// Removes the key's file. `inode`: only the one with this inode; nil: any. Returns whether there was something to
    /// remove.
    @discardableResult
    func remove(_ key: CacheKey, inode: UInt64? = nil) throws(Errno) -> Bool {
        guard let shard = try existingShard(key)?.folder else { return false }
        return try remove(key, from: shard, inode: inode)
    }

    /// Removes many, one folder after the other; missing `keys` are not an error. Returns those that could not be
    /// removed.
    func remove(_ keys: [CacheKey]) -> [CacheKey: Errno] {
        var problems: [CacheKey: Errno] = [:]
        for (_, keys) in Dictionary(grouping: keys, by: \.shard) {
            do {
                guard let shard = try existingShard(keys[0])?.folder else { continue }
                for key in keys {
                    do { _ = try remove(key, from: shard, inode: nil) } catch { problems[key] = error }
                }
            } catch {
                for key in keys { problems[key] = error }
            }
        }
        return problems
    }

    private func remove(_ key: CacheKey, from shard: Folder, inode: UInt64?) throws(Errno) -> Bool {
        try shard.lock(.exclusive)
        var isDone = false
        for format in EntryFormat.allCases {
            let isRemoved = try Self.withShardName(of: key, format: format) { name throws(Errno) in
                guard let state = try shard.status(name), inode == nil || state.inode == inode else { return false }
                if state.kind == .folder {
                    try moveAway(key, format: format, from: shard)
                } else {
                    try shard.remove(name)
                }
                return true
            }
            isDone = isDone || isRemoved
        }
        return isDone
    }

    /// A folder may contain a user's files: it is moved to `tmp/`, where `verify --repair` finds it.
    private func moveAway(_ key: CacheKey, format: EntryFormat, from shard: Folder) throws(Errno) {
        try Self.withShardName(of: key, format: format) { name throws(Errno) in
            try shard.rename(name, to: folder.temporary, as: "misplaced-\(TemporaryName.random())")
        }
    }

    private func existingShard(_ key: CacheKey) throws(Errno) -> Shard? {
        do {
            return try shard(key, isMaking: false)
        } catch {
            if Self.meansNoShard(error) { return nil }
            throw error
        }
    }

    private static func meansNoShard(_ error: Errno) -> Bool {
        [.noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels].contains(error)
    }

    /// The folder of an entry. To create it, a link or a file in its place is moved away.
    private func shard(_ key: CacheKey, isMaking: Bool) throws(Errno) -> Shard {
        try Self.withName(of: key, format: .png) { name throws(Errno) in
            // "ab/...": the third character becomes the end of the folder's name.
            name[2] = 0
            do throws(Errno) {
                return Shard(folder: try folder.objects.folder(name), number: key.shard)
            } catch {
                guard isMaking else { throw error }
                if error == .notDirectory || error == .tooManySymbolicLinkLevels {
                    try folder.objects.rename(
                        name, to: folder.temporary, as: "misplaced-\(TemporaryName.random())")
                } else if error != .noSuchFileOrDirectory {
                    throw error
                }
                try folder.objects.makeFolder(name)
                return Shard(folder: try folder.objects.folder(name), number: key.shard)
            }
        }
    }

    /// The result of the first format whose name exists. Throws the error of the last one.
    static func first<Result>(_ body: (EntryFormat) throws(Errno) -> Result) throws(Errno) -> Result {
        for format in EntryFormat.allCases.dropLast() {
            do { return try body(format) } catch { if error != .noSuchFileOrDirectory { throw error } }
        }
        return try body(.webp)
    }

    /// `ab/KEY.png` as a C string, without allocating a string.
    private static func withName<Result>(
        of key: CacheKey, format: EntryFormat, _ body: (UnsafeMutablePointer<CChar>) throws(Errno) -> Result
    ) throws(Errno) -> Result {
        var bytes: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        )
        return try withUnsafeMutableBytes(of: &bytes) { buffer throws(Errno) in
            // 80 bytes: two digits, a slash, 64 digits, at most five of the suffix, a final zero.
            let start = buffer.baseAddress!.assumingMemoryBound(to: UInt8.self)
            key.writeHexadecimal(to: start + 3)
            start[0] = start[3]
            start[1] = start[4]
            start[2] = UInt8(ascii: "/")
            switch format {
            case .png:
                start[67] = 0x2E
                start[68] = 0x70
                start[69] = 0x6E
                start[70] = 0x67
            case .webp:
                start[67] = 0x2E
                start[68] = 0x77
                start[69] = 0x65
                start[70] = 0x62
                start[71] = 0x70
            }
            return try body(UnsafeMutableRawPointer(start).assumingMemoryBound(to: CChar.self))
        }
    }

    /// `KEY.png`.
    static func withShardName<Result>(
        of key: CacheKey, format: EntryFormat, _ body: (UnsafePointer<CChar>) throws(Errno) -> Result
    ) throws(Errno) -> Result {
        try withName(of: key, format: format) { name throws(Errno) in try body(UnsafePointer(name + 3)) }
    }
}

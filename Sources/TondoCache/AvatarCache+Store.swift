internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import Synchronization
internal import SystemPackage
internal import TondoFiles

extension AvatarCache {
    /// A key whose file was or will be touched, and the change of its row.
    struct Change {
        /// The kind of its file. The journal names keys of both kinds.
        enum Kind { case entry, failure, any }

        var kind = Kind.entry
        /// The known data of the entry; nil: the file is read.
        var entry: Entry?
        /// The same for a negative entry.
        var failure: FailureRow?
        /// The file it was written to.
        var file: FileStatus?
        /// Why the file was removed, if it was.
        var reason: RemovalRecord.Reason?
        /// How often it was announced in the journal.
        var announced = 1

        static let failure = Change(kind: .failure)
    }

    /// Stores an avatar. Every process can read it when this returns; a power loss soon after may lose it.
    ///
    /// - Parameters:
    ///   - png: the avatar, with its recipe in a tEXt chunk.
    ///   - key: of that recipe.
    ///   - cost: milliseconds it took to draw.
    ///   - contacts: the contacts of the avatar; known ones are kept.
    /// - Throws: `.full` and `.readOnly` among others; nothing is left behind then.
    package func store(
        _ png: [UInt8], key: CacheKey, cost: Double, contacts: [String] = []
    ) throws(CacheError) {
        try checkStoring()
        try inWholeFolder { () throws(CacheError) in try storeNow(png, key: key, cost: cost, contacts: contacts) }
    }

    private func storeNow(
        _ png: [UInt8], key: CacheKey, cost: Double, contacts: [String]
    ) throws(CacheError) {
        guard let recipe = png.withUnsafeBytes({ RecipeReader.recipe(in: $0) }), CacheKey(recipe: recipe.text) == key,
            Recipe.text(photo: recipe.photo, crop: recipe["crop"], template: recipe.template) == recipe.text
        else { throw .wrongRecipe(key) }
        let now = options.now()
        var trailer = EntryTrailer(created: now, cost: cost, contacts: contacts)
        func place(over rule: Rule) throws(CacheError) -> Bool {
            guard let file = png.withUnsafeBytes({ trailer.file(appendedTo: $0, key: key) }),
                file.count <= EntryFile.largest
            else { throw .wrongRecipe(key) }
            let entry = Entry(
                key: key, recipe: recipe, size: file.count, cost: trailer.cost,
                created: Date(milliseconds: trailer.created),
                used: now, contacts: trailer.contacts)
            return try self.place(file, entry, over: rule)
        }
        if objects.fileState(key) == nil, try place(over: .nothing) { return }
        // Another process may store other contacts of the entry at the same time; one of them always succeeds.
        for _ in 0..<100 {
            guard let opened = try? objects.open(key) else { break }
            // As long as it is open, no other file can have its inode.
            defer { try? opened.close() }
            guard let old = try? EntryFile(opened), let entry = try? old.entry(key: key) else { break }
            trailer = EntryTrailer(created: now, cost: cost, contacts: entry.contacts + contacts)
            if try place(over: .file(old.state.inode)) { return }
        }
        _ = try place(over: .anything)
    }

    /// Records further contacts of an entry. Rewrites its file if they are new.
    package func add(contacts: [String], to key: CacheKey) throws(CacheError) {
        try checkStoring()
        // Other processes may add contacts meanwhile; one of them always succeeds.
        for _ in 0..<100 where try isDone(adding: contacts, to: key) { return }
    }

    /// False if the entry's file was replaced meanwhile.
    private func isDone(adding contacts: [String], to key: CacheKey) throws(CacheError) -> Bool {
        // As long as it is open, no other file can have its inode.
        guard let opened = try? objects.open(key) else { return true }
        defer { try? opened.close() }
        guard let old = try? EntryFile(opened), var entry = try? old.entry(key: key) else { return true }
        let trailer = EntryTrailer(created: entry.created, cost: entry.cost, contacts: entry.contacts + contacts)
        guard trailer.contacts != entry.contacts, let image = StoredAvatar(entryFile: old.bytes, key: key),
            let file = image.png.withUnsafeBytes({ trailer.file(appendedTo: $0, key: key) })
        else { return true }
        (entry.contacts, entry.size) = (trailer.contacts, file.count)
        return try place(file, entry, over: .file(old.state.inode))
    }

    /// Removes an entry, intact or not. Returns whether there was one.
    @discardableResult
    package func remove(_ key: CacheKey) throws(CacheError) -> Bool {
        if isReadOnly { throw .readOnly(path) }
        return try change(key, reason: .removed) { try objects.remove(key) }
    }

    /// `work` changes the key's file, without needing disk space, between the journal and the row.
    @discardableResult
    func change<Result>(
        _ key: CacheKey, reason: RemovalRecord.Reason? = nil, kind: Change.Kind = .entry, _ work: () throws -> Result
    ) throws(CacheError) -> Result {
        let isAnnounced = try announceIfRoom([key]) != nil
        return try noting(key, Change(kind: kind, reason: reason, announced: isAnnounced ? 1 : 0)) { change in
            (try work(), change)
        }
    }

    /// `work` writes a file, and returns its known data.
    func change<Result>(
        _ key: CacheKey, _ unknown: Change, _ work: (Session) throws -> (Result, Change)
    ) throws(CacheError) -> Result {
        let session = try announce([key])
        return try noting(key, unknown) { _ in try work(session) }
    }

    /// `unknown`: recorded if `work` fails. The row must agree with whatever file is there then.
    private func noting<Result>(
        _ key: CacheKey, _ unknown: Change, _ work: (Change) throws -> (Result, Change)
    ) throws(CacheError) -> Result {
        do {
            let (result, change) = try work(unknown)
            note([key: change])
            return result
        } catch {
            note([key: Change(kind: unknown.kind, announced: unknown.announced)])
            throw CacheError(error as? Errno ?? .ioError, at: path)
        }
    }

    /// Like `announce`, but nil if the disk has no room for a journal. Removing frees some: a kill then leaves rows
    /// without files, which are misses and are removed by `verify`, eviction or the next index.
    func announceIfRoom(_ keys: [CacheKey]) throws(CacheError) -> Session? {
        do { return try announce(keys) } catch {
            if error.isFull { return nil }
            throw error
        }
    }

    /// Writes keys to this process's journal, before their files are touched.
    func announce(_ keys: [CacheKey]) throws(CacheError) -> Session {
        while true {
            let session = try session()
            do { if try session.announce(keys) { return session } } catch { throw CacheError(error, at: path) }
        }
    }

    /// What an entry's file may replace.
    private enum Rule {
        case nothing
        /// The file with this inode.
        case file(UInt64)
        case anything
    }

    /// False if another file is there.
    private func place(_ file: [UInt8], _ entry: Entry, over rule: Rule) throws(CacheError) -> Bool {
        do {
            return try change(entry.key, Change()) { session in
                let name = session.newName()
                do {
                    let state = try write(file, to: name)
                    let isPlaced = try place(name, as: entry.key, over: rule)
                    if !isPlaced { try? folder.temporary.remove(name) }
                    return (isPlaced, isPlaced ? Change(entry: entry, file: state) : Change())
                } catch {
                    try? folder.temporary.remove(name)
                    throw error
                }
            }
        } catch {
            if error.isFull { pause(error) }
            throw error
        }
    }

    private func place(_ name: String, as key: CacheKey, over rule: Rule) throws(Errno) -> Bool {
        switch rule {
        case .nothing: return try objects.placeNoReplace(name, as: key)
        case .file(let inode): return try objects.replace(inode, with: name, as: key)
        case .anything:
            try objects.place(name, as: key)
            return true
        }
    }

    /// A new file in `tmp/`.
    func write(_ bytes: [UInt8], to name: String) throws -> FileStatus {
        let file = try folder.temporary.open(name, O_WRONLY | O_CREAT | O_EXCL)
        return try file.closeAfter {
            _ = try file.writeAll(bytes)
            return try FileStatus(file)
        }
    }

    /// Seconds.
    private static let pause = 30.0

    /// A full disk is retried after half a minute, not for every store, unless room can be made before.
    func pause(_ error: CacheError) {
        let until = options.now().addingTimeInterval(Self.pause)
        state.withLock { $0.paused = (until, error) }
        report(.stoppedStoring(error), once: error.code)
        if error.isFull { flushSoon() }
    }

    func checkStoring() throws(CacheError) {
        if isReadOnly {
            report(.stoppedStoring(.readOnly(path)), once: "read-only")
            throw .readOnly(path)
        }
        let now = options.now()
        let error: CacheError? = state.withLock { state in
            // A longer pause is possible only after the clock was put back.
            guard let (until, error) = state.paused, now < until, until <= now.addingTimeInterval(Self.pause) else {
                state.paused = nil
                return nil
            }
            return error
        }
        if let error { throw error }
        if let fault = options.fault(.store) { throw fault }
    }

    func session() throws(CacheError) -> Session {
        let result: Result<Session, Errno> = state.withLock { state in
            if let session = state.session { return .success(session) }
            do throws(Errno) {
                let session = try Session(in: folder.temporary)
                state.session = session
                return .success(session)
            } catch { return .failure(error) }
        }
        do { return try result.get() } catch {
            let error = CacheError(error, at: path)
            if error.isFull { pause(error) }
            throw error
        }
    }
}

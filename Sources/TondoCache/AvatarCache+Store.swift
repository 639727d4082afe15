internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import Synchronization
internal import SystemPackage

extension AvatarCache {
    /// A key whose file was touched, or is about to be, and what is to become of its row.
    struct Change {
        /// What is known of the entry, if it is one; else its file is asked.
        var entry: Entry?
        /// Why the file is gone, if it is.
        var reason: Departure.Reason?
        /// How often it was announced in the journal.
        var announced = 1
    }

    /// Puts a picture into the cache. It is there, for every process, when this returns; a power cut soon after may
    /// take it.
    ///
    /// - Parameters:
    ///   - png: the picture, with its recipe in a tEXt chunk.
    ///   - key: of that recipe.
    ///   - cost: milliseconds it took to draw.
    ///   - contacts: who shows it; those known already are kept.
    /// - Throws: `.full` and `.readOnly` among others; nothing is left behind then.
    package func store(
        _ png: [UInt8], key: CacheKey, cost: Double, contacts: [String] = []
    ) throws(CacheError) {
        try checkStoring()
        guard let recipe = png.withUnsafeBytes({ RecipeReader.recipe(in: $0) }), CacheKey(recipe: recipe.text) == key,
            Ingredients.text(photo: recipe.photo, crop: recipe["crop"], template: recipe.template) == recipe.text
        else { throw .wrongRecipe(key) }
        let now = options.now()
        var contacts = contacts
        if !contacts.isEmpty, let old = try? objects.entry(key) { contacts = old.contacts.adding(contacts) }
        let seal = Seal(created: now, cost: cost, contacts: contacts)
        guard let file = png.withUnsafeBytes({ seal.file(sealing: $0, key: key) }), file.count <= SealedFile.largest
        else { throw .wrongRecipe(key) }
        let entry = Entry(
            key: key, recipe: recipe, size: file.count, cost: cost, created: Date(milliseconds: seal.created),
            used: now, contacts: seal.contacts)
        try place(file, entry)
    }

    /// Notes that these contacts show an entry, too. Rewrites its file when they were not known yet.
    package func add(contacts: [String], to key: CacheKey) throws(CacheError) {
        try checkStoring()
        guard var entry = try? objects.entry(key), let hit = lookupQuietly(key), let rendition = try read(hit) else {
            return
        }
        let all = entry.contacts.adding(contacts)
        guard all != entry.contacts else { return }
        entry.contacts = all
        let seal = Seal(created: entry.created, cost: entry.cost, contacts: all)
        guard let file = rendition.png.withUnsafeBytes({ seal.file(sealing: $0, key: key) }) else { return }
        entry.size = file.count
        try place(file, entry)
    }

    /// Removes an entry, whole or not. Tells whether there was one.
    @discardableResult
    package func remove(_ key: CacheKey) throws(CacheError) -> Bool {
        if isReadOnly { throw .readOnly(path) }
        return try change(key, reason: .removed) { try objects.remove(key) }
    }

    /// The key's file is changed by `work`, between its journal and its row.
    func change<Result>(
        _ key: CacheKey, entry: Entry? = nil, reason: Departure.Reason? = nil,
        _ work: () throws -> Result
    ) throws(CacheError) -> Result {
        let session = try session()
        do {
            try session.announce([key])
            do {
                let result = try work()
                note([key: Change(entry: entry, reason: reason)])
                return result
            } catch {
                // Whatever stands there now, the row has to agree with it.
                note([key: Change()])
                throw error
            }
        } catch { throw CacheError(error as? Errno ?? .ioError, at: path) }
    }

    private func place(_ file: [UInt8], _ entry: Entry) throws(CacheError) {
        do {
            let name = try session().newName()
            try change(entry.key, entry: entry) {
                do {
                    let temporary = try folder.temporary.open(name, O_WRONLY | O_CREAT | O_EXCL)
                    try temporary.closeAfter { _ = try temporary.writeAll(file) }
                    try objects.place(name, as: entry.key)
                } catch {
                    try? folder.temporary.remove(name)
                    throw error
                }
            }
        } catch {
            if case .full = error { pause(error) }
            throw error
        }
    }

    /// A full disk is asked again after half a minute, not for every picture.
    private func pause(_ error: CacheError) {
        state.withLock { $0.pausedUntil = options.now().addingTimeInterval(30) }
        tell(.stoppedStoring(error), once: error.code)
    }

    private func checkStoring() throws(CacheError) {
        if isReadOnly {
            tell(.stoppedStoring(.readOnly(path)), once: "read-only")
            throw .readOnly(path)
        }
        let now = options.now()
        let isPaused = state.withLock { state in
            guard let until = state.pausedUntil, now < until else {
                state.pausedUntil = nil
                return false
            }
            return true
        }
        if isPaused { throw .full(path) }
    }

    /// What stands there, without counting as a use.
    func lookupQuietly(_ key: CacheKey) -> Hit? {
        guard let file = try? objects.status(key), file.kind == .regular else { return nil }
        return Hit(key: key, size: file.size)
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
            if case .full = error { pause(error) }
            throw error
        }
    }
}

extension [String] {
    /// Those here, then the new ones.
    func adding(_ more: [String]) -> [String] {
        var all = self
        for name in more where !all.contains(name) { all.append(name) }
        return all
    }
}

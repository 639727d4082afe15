internal import FoundationEssentials
internal import SystemPackage
internal import TondoFiles

extension EntryStore {
    /// See `AvatarCache.store`.
    func store(_ avatar: [UInt8], key: CacheKey, cost: Double, contacts: [String]) throws(CacheError) {
        try storage.checkStoring()
        try storage.inWholeFolder { () throws(CacheError) in
            try storeNow(avatar, key: key, cost: cost, contacts: contacts)
        }
    }

    private func storeNow(_ avatar: [UInt8], key: CacheKey, cost: Double, contacts: [String]) throws(CacheError) {
        // The index stores photo, crop and the rest apart, and has to give back exactly this text.
        guard let recipe = avatar.withUnsafeBytes({ RecipeReader.recipe(in: $0) }),
            CacheKey(recipe: recipe.text) == key,
            Recipe.text(photo: recipe.photo, crop: recipe["crop"], template: recipe.template) == recipe.text
        else { throw .wrongRecipe(key) }
        // A file must have the name that its recipe asks for.
        guard avatar.withUnsafeBytes({ EntryFormat($0) }) == EntryFormat(recipe) else { throw .wrongRecipe(key) }
        let now = storage.options.now()
        var trailer = EntryTrailer(created: now, cost: cost, contacts: contacts)
        func install(over rule: Rule) throws(CacheError) -> Bool {
            guard let file = avatar.withUnsafeBytes({ trailer.file(appendedTo: $0, key: key) }),
                file.count <= EntryFile.largest
            else { throw .wrongRecipe(key) }
            let entry = Entry(
                key: key, recipe: recipe, size: file.count, cost: trailer.cost,
                created: Date(milliseconds: trailer.created), used: now, contacts: trailer.contacts)
            return try self.install(file, as: entry, over: rule)
        }
        let objects = storage.files.objects
        if objects.fileState(key) == nil, try install(over: .nothing) { return }
        // Another process may store other contacts of the entry at the same time; one of them always succeeds.
        for _ in 0..<100 {
            guard let opened = try? objects.open(key) else { break }
            // As long as it is open, no other file can have its inode.
            defer { try? opened.close() }
            guard let old = try? EntryFile(opened), let entry = try? old.entry(key: key) else { break }
            trailer = EntryTrailer(created: now, cost: cost, contacts: entry.contacts + contacts)
            if try install(over: .file(old.state.inode)) { return }
        }
        // What is there cannot be read, or changes each time; the new file is right in any case.
        _ = try install(over: .anything)
    }

    /// Records further contacts of an entry. Rewrites its file if they are new.
    func add(contacts: [String], to key: CacheKey) throws(CacheError) {
        try storage.checkStoring()
        // Other processes may add contacts meanwhile; one of them always succeeds.
        for _ in 0..<100 where try isDone(adding: contacts, to: key) { return }
    }

    /// False if the entry's file was replaced meanwhile.
    private func isDone(adding contacts: [String], to key: CacheKey) throws(CacheError) -> Bool {
        // As long as it is open, no other file can have its inode.
        guard let opened = try? storage.files.objects.open(key) else { return true }
        defer { try? opened.close() }
        guard let old = try? EntryFile(opened), var entry = try? old.entry(key: key),
            entry.contacts.count < EntryTrailer.mostContacts
        else { return true }
        let trailer = EntryTrailer(created: entry.created, cost: entry.cost, contacts: entry.contacts + contacts)
        guard trailer.contacts != entry.contacts, let avatar = try? old.avatar(key: key),
            let file = avatar.bytes.withUnsafeBytes({ trailer.file(appendedTo: $0, key: key) })
        else { return true }
        entry.contacts = trailer.contacts
        entry.size = file.count
        return try install(file, as: entry, over: .file(old.state.inode))
    }

    /// What an entry's file may replace.
    private enum Rule {
        case nothing
        /// The file with this inode.
        case file(UInt64)
        case anything
    }

    /// False if another file is there.
    private func install(_ file: [UInt8], as entry: Entry, over rule: Rule) throws(CacheError) -> Bool {
        do {
            return try storage.write(file, of: entry.key, change: RowChange(entry: entry)) {
                name, files throws(Errno) in
                switch rule {
                case .nothing: return try files.objects.installNoReplace(name, as: entry.key, format: entry.format)
                case .file(let inode):
                    return try files.objects.replace(inode, with: name, as: entry.key, format: entry.format)
                case .anything:
                    try files.objects.install(name, as: entry.key, format: entry.format)
                    return true
                }
            }
        } catch {
            if error.isFull { storage.pause.begin(error) }
            throw error
        }
    }
}

internal import TondoMirror

extension CardDAVSource {
    /// Makes the changes that were made in the mirror at the server. Those that cannot be made now wait, and keep nothing else
    /// waiting.
    func send(_ run: inout CardDAVRun, isFull: Bool) throws(SyncError) {
        guard let outgoing, !mirror.isDry else {
            run.memory.permissions = [:]
            return
        }
        let changes = mirror.pending.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        if outgoing.isWritable {
            // A book may have another URL now, or may be gone.
            if !isFull, changes.contains(where: { book(of: $0.id, run.memory) == nil }) { try discover(&run) }
            try askPermissions(&run, isFull: isFull)
        } else {
            run.memory.permissions = [:]
        }
        // Programs go by it from now on, whatever becomes of this run.
        mirror.setWritable(run.memory.permissions)
        for note in changes {
            guard let change = PendingChanges(mirror.layout).change(of: note.id) else { continue }
            let result: SendResult
            do throws(SyncError) { result = try send(change, isWritable: outgoing.isWritable, run: &run) } catch {
                // A server that wants no more changes for a while may still answer what has changed.
                guard case .later = error else { throw error }
                outgoing.isPaused = true
                break
            }
            outgoing.note(result, of: change, now: now)
            // That a card is gone is seen once more in a whole list: a server that is restarted has none for a moment.
            let isGone = result == .refused(.deleted) || result == .sent && change.after == nil
            if isGone, let book = book(of: change.id, run.memory) { run.memory.forgetList(of: book.url) }
        }
        try SyncError.converting { try mirror.commit() }
        mirror.setWritable(run.memory.permissions)
    }

    private func book(of id: String, _ memory: CardDAVMemory) -> CardDAVMemory.Collection? {
        memory.collections.first { DAVPath.isMember(id, of: DAVPath.folder($0.url.path)) }
    }

    private func abandon(_ change: PendingChange, as reason: SendResult.Reason) throws(SyncError) -> SendResult {
        try SyncError.converting { try mirror.abandon(change) }
        return .refused(reason)
    }

    private func send(
        _ change: PendingChange, isWritable: Bool, run: inout CardDAVRun
    ) throws(SyncError) -> SendResult {
        guard isOfAccount(change) else { return try abandon(change, as: .account) }
        guard isWritable else { return try abandon(change, as: .off) }
        guard let book = book(of: change.id, run.memory) else { return try abandon(change, as: .bookGone) }
        let folder = DAVPath.folder(book.url.path)
        let sender = ChangeSender(
            client: client, mirror: mirror, url: book.url, prepare: prepare, shrink: outgoing?.shrink, now: now)
        if run.memory.permissions[folder] == false { return try sender.giveUp(change, as: .readOnly, server: nil) }
        let result = try sender.send(change)
        switch result {
        case .sent, .sentSmaller: run.memory.proven.insert(folder)
        // Where a change was taken before, it is this card that the server protects.
        case .refused(.readOnly) where !run.memory.proven.contains(folder): run.memory.permissions[folder] = false
        case .refused, .waits: break
        }
        return result
    }

    /// A `url` may be spelled otherwise by now, or name the book instead of the account: the card's path says where it is on the
    /// same server.
    private func isOfAccount(_ change: PendingChange) -> Bool {
        let own = MirrorState.account(source: "\(url)", user: user)
        if change.account == own { return true }
        guard let blank = change.account.firstIndex(of: " ") else { return false }
        let origin = WebURL(String(change.account[..<blank]))?.origin
        return origin == url.origin && change.account[blank...].dropFirst() == user
    }

    /// Asks what the user may do in each address book: at first, and once a week, since shares change. A server that does not say
    /// it shows it when something is sent.
    private func askPermissions(_ run: inout CardDAVRun, isFull: Bool) throws(SyncError) {
        var permissions: [String: Bool] = [:]
        for collection in run.memory.collections {
            let folder = DAVPath.folder(collection.url.path)
            if let known = run.memory.permissions[folder], !isFull {
                permissions[folder] = known
                continue
            }
            let found = try privileges(of: collection.url)
            // What it says counts for the book: a card that it refuses is one that it protects.
            if found != nil { run.memory.proven.insert(folder) }
            permissions[folder] = found.map { !$0.isDisjoint(with: ["all", "write", "write-content"]) } ?? true
        }
        run.memory.permissions = permissions
    }

    /// Nil: the server does not say.
    private func privileges(of book: WebURL) throws(SyncError) -> Set<String>? {
        var found: Set<String>?
        do throws(SyncError) {
            _ = try client.propfind(
                book, depth: 0, body: DAVBody.privileges, restart: { found = nil },
                output: { found = $0.privileges ?? found })
        } catch {
            // Servers that do not know the question answer it with errors of all kinds.
            switch error {
            case .status, .malformed: return nil
            default: throw error
            }
        }
        return found
    }
}

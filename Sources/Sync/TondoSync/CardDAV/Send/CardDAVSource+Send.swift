internal import TondoMirror

extension CardDAVSource {
    /// Makes the changes that were made in the mirror at the server. Those that cannot be made now wait, and keep nothing else
    /// waiting.
    func send(_ run: inout CardDAVRun, isFull: Bool) throws(SyncError) {
        guard let outgoing, !mirror.isDry else {
            run.memory.permissions = [:]
            return
        }
        try askPermissions(&run, isFull: isFull)
        for change in mirror.pending.values.sorted(by: { ($0.name, $0.id) < ($1.name, $1.id) }) {
            let result = try send(change, run: &run)
            outgoing.note(result, of: change, now: now)
        }
    }

    private func send(_ change: PendingChange, run: inout CardDAVRun) throws(SyncError) -> SendResult {
        if change.account != "\(url) \(user)" {
            try SyncError.converting { try mirror.abandon(change) }
            return .refused(.account)
        }
        let book = run.memory.collections.first { DAVPath.isMember(change.id, of: DAVPath.folder($0.url.path)) }
        guard let book else { return .waits(.unanswered) }
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
            var found: Set<String>?
            _ = try client.propfind(
                collection.url, depth: 0, body: DAVBody.privileges, restart: { found = nil },
                output: { found = $0.privileges ?? found })
            permissions[folder] = found.map { !$0.isDisjoint(with: ["all", "write", "write-content"]) } ?? true
        }
        run.memory.permissions = permissions
    }
}

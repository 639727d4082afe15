internal import SystemPackage
internal import TondoMirror

/// A CardDAV source over the network: from the configuration of a source to its run.
struct CardDAVRunner {
    let sourceRun: SourceRun

    /// `prepare`: see `CardDAVSource`.
    func run(
        _ mirror: MirrorFolder, prepare: @escaping ([UInt8]) -> PreparedCard, status: inout MirrorStatus,
        now: Int
    ) throws(SyncError) {
        let (url, client) = try client()
        let shrinker = sourceRun.options.program.map {
            PhotoShrinker(program: $0, folder: sourceRun.layout.root.appending("fitting"))
        }
        let outgoing = OutgoingChanges(isWritable: sourceRun.source.isWritable, shrink: shrinker?.card)
        defer {
            status.requests = client.requests
            status.take(outgoing, waiting: mirror.pending, unreadable: PendingChanges(mirror.layout).unreadable())
        }
        // A run that is killed after that has reported them, too.
        mirror.onForget = { [before = status] in
            var reported = before
            reported.take(outgoing, waiting: mirror.pending, unreadable: [])
            try reported.write(mirror.layout)
        }
        defer { mirror.onForget = {} }
        let carddav = CardDAVSource(
            url: url, user: sourceRun.source.user ?? "", client: client, discovery: Discovery(client), mirror: mirror,
            allowsDeletion: sourceRun.options.allowsDeletion, outgoing: outgoing, prepare: prepare,
            progress: sourceRun.progress, now: now)
        let report = try carddav.run()
        status.added = report.added
        status.changed = report.changed
        status.failed = report.failed
        status.missing = report.missing.isEmpty ? nil : report.missing
        status.removed = report.outcome.removed
        status.withheld = report.outcome.withheld
    }

    /// For `tondo sync add`, too. `secret`: nil takes the source's.
    func client(secret: Secret? = nil) throws(SyncError) -> (WebURL, DAVClient) {
        let (source, secrets) = (sourceRun.source, sourceRun.secrets)
        guard let url = WebURL(source.url) else { throw .http(.url(source.url)) }
        var http = HTTPClient.Options()
        http.isInsecure = source.isInsecure
        http.certificates = source.certificates
        http.keepsCookies = true
        http.isCancelled = { Interrupt.isRequested }
        if source.authentication != .none, source.user != nil || source.authentication == .bearer {
            let found = try SyncError.converting { try secret ?? secrets.read(source) }
            http.credentials = Credentials(
                origin: url.origin, user: source.user ?? "", secret: found, authentication: source.authentication)
            http.renew = { try secrets.read(source) }
        }
        return (url, DAVClient(client: HTTPClient(options: http), pause: Interrupt.wait))
    }
}

extension MirrorStatus {
    /// `pending`, `unreadable`: what waits at the end of the run.
    fileprivate mutating func take(
        _ outgoing: OutgoingChanges, waiting pending: [String: PendingNote], unreadable: [Change]
    ) {
        sent = outgoing.sent > 0 ? outgoing.sent : nil
        fitted = outgoing.fitted.isEmpty ? nil : Array(outgoing.fitted.prefix(Change.most))
        // A run that was killed may have reported the same.
        let new = Set(outgoing.refused.map { [$0.id, $0.code] })
        refused = (refused ?? []).filter { !new.contains([$0.id, $0.code]) } + outgoing.refused
        if refused?.isEmpty == true { refused = nil }
        let changes = pending.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) }.prefix(Change.most).map { change in
            let reason = outgoing.reason(change.id)
            return Change(name: change.name, code: reason.rawValue, reason: reason.text, id: change.id)
        }
        waiting = changes.isEmpty && unreadable.isEmpty ? nil : Array((unreadable + changes).prefix(Change.most))
    }
}

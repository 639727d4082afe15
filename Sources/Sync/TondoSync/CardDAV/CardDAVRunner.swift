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
        defer { status.requests = client.requests }
        let carddav = CardDAVSource(
            url: url, user: sourceRun.source.user ?? "", client: client, discovery: Discovery(client), mirror: mirror,
            allowsDeletion: sourceRun.options.allowsDeletion, prepare: prepare, progress: sourceRun.progress, now: now)
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

internal import TondoMirror

/// A directory over the network: from the configuration of a source to its run.
struct LDAPRunner {
    let sourceRun: SourceRun

    func run(_ mirror: MirrorFolder, status: inout MirrorStatus, now: Int) throws(SyncError) {
        let report = try SyncError.converting {
            let (server, client) = try client()
            return try LDAPSource(
                url: server.url, user: sourceRun.source.user, client: client, mirror: mirror,
                allowsDeletion: sourceRun.options.allowsDeletion, progress: sourceRun.progress, now: now
            ).run()
        }
        status.added = report.added
        status.changed = report.changed
        status.removed = report.outcome.removed
        status.withheld = report.outcome.withheld
        status.failed = 0
    }

    /// The number of people, for `tondo sync add`. `secret`: nil takes the source's.
    func people(secret: Secret?) throws(SyncError) -> Int {
        try SyncError.converting {
            let (server, client) = try client(secret: secret)
            let (url, features) = (server.url, client.features)
            let search = LDAPSearch(
                base: url.base, scope: url.scope, filter: url.filter ?? features.people,
                attributes: LDAPCard.identity, method: features.pages ? .paged(LDAPSource.page) : .plain)
            var count = 0
            _ = try client.search(search) { _, _ in count += 1 }
            return count
        }
    }

    private func client(secret: Secret? = nil) throws -> (DirectoryServer, LDAPClient) {
        let server = try server(secret)
        return (server, try LDAPClient(server: server) { !Interrupt.isRequested })
    }

    /// Throws an `LDAPError` or a `SecretError`.
    private func server(_ secret: Secret?) throws -> DirectoryServer {
        let source = sourceRun.source
        let url: LDAPURL
        do throws(LDAPURL.Problem) { url = try LDAPURL(source.url) } catch { throw LDAPError.url(error) }
        var server = DirectoryServer(url)
        server.isInsecure = source.isInsecure
        server.authorities = source.certificates
        server.startsTLS = source.options["starttls"] == ["true"]
        // Before the password is fetched.
        if let refusal = server.refusal { throw refusal }
        if source.authentication == .external {
            server.identity = .external
        } else if let user = source.user, source.authentication != .none {
            let secret = try secret ?? sourceRun.secrets.read(source)
            server.identity = .simple(name: user, password: Array(secret.reveal().utf8))
        }
        return server
    }
}

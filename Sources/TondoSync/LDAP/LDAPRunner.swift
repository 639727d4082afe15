package import TondoMirror

/// A directory over the network: from the configuration of a source to its run.
package struct LDAPRunner {
    private let source: SyncSource
    private let options: SourceRun.Options
    private let secrets: SecretReader
    private let progress: (Int, Int) -> Void

    package init(
        _ source: SyncSource, _ options: SourceRun.Options, _ secrets: SecretReader,
        _ progress: @escaping (Int, Int) -> Void
    ) {
        (self.source, self.options, self.secrets, self.progress) = (source, options, secrets, progress)
    }

    func run(_ mirror: MirrorFolder, _ status: inout MirrorStatus, _ now: Int) throws(SyncError) {
        let (mirror, source) = (mirror, source)
        let report = try SyncError.converting {
            let server = try self.server()
            let client = try LDAPClient(server) { !Interrupt.isRequested }
            return try LDAPSource(
                server.url, user: source.user, client: client, mirror: mirror, allowsDeletion: options.allowsDeletion,
                progress: progress, now: now
            ).run()
        }
        (status.added, status.changed) = (report.added, report.changed)
        (status.removed, status.withheld) = (report.outcome.removed, report.outcome.withheld)
        status.failed = 0
    }

    /// Throws an `LDAPError` or a `SecretError`.
    private func server() throws -> DirectoryServer {
        let url: LDAPURL
        do throws(LDAPURL.Problem) { url = try LDAPURL(source.url) } catch { throw LDAPError.url(error) }
        var server = DirectoryServer(url)
        (server.isInsecure, server.authorities) = (source.isInsecure, source.certificates)
        server.startsTLS = source.options["starttls"] == ["true"]
        // Before the password is fetched.
        if let refusal = server.refusal { throw refusal }
        if source.authentication == .external {
            server.identity = .external
        } else if let user = source.user, source.authentication != .none {
            server.identity = .simple(name: user, password: Array(try secrets.read(source).reveal().utf8))
        }
        return server
    }
}

internal import Glibc
package import SystemPackage
package import TondoMirror

/// One run of one source: from its secret to the record of what happened.
package struct SourceRun {
    package struct Options: Sendable {
        package var isDry = false
        package var allowsDeletion = false
        /// Despite a back-off.
        package var isManual = true
        /// Address books whose photo URLs are followed.
        package var books: [String] = []
        /// Hosts of photos beside those of a source itself.
        package var photoHosts: [String] = []
        package var photos = PhotoFetch.Options()

        package init() {}
    }

    /// Of a run, for people and programs.
    package struct Result: Sendable {
        package var name: String
        package var status: MirrorStatus
        /// Nil: it succeeded.
        package var error: SyncError?
        /// Its back-off is not over; nothing was asked.
        package var isSkipped = false
    }

    private let source: SyncSource
    private let folder: FilePath
    private let layout: MirrorLayout
    private let options: Options
    private let secrets: SecretReader
    private let progress: (_ done: Int, _ total: Int) -> Void

    package init(
        _ source: SyncSource, in folder: FilePath, _ options: Options, secrets: SecretReader = .process,
        progress: @escaping (Int, Int) -> Void = { _, _ in }
    ) {
        (self.source, self.options, self.secrets, self.progress) = (source, options, secrets, progress)
        self.folder = folder
        layout = MirrorLayout(source.name, in: folder)
    }

    /// Blocks until the end of the run; an interruption ends it soon. `now`: seconds since 1970.
    package func run(now: Int = time(nil)) -> Result {
        let last = MirrorStatus.read(layout)
        var status = last ?? MirrorStatus(kind: source.kind.rawValue, lastRun: now)
        if !options.isManual, let first = last?.notBefore, now < first, first - now <= 2 * 86_400 {
            return Result(name: source.name, status: status, isSkipped: true)
        }
        status.begin(now)
        let mirror: MirrorFolder
        do throws(SyncError) {
            mirror = try SyncError.converting { try MirrorFolder(layout, dry: options.isDry) }
        } catch {
            return Result(name: source.name, status: status, error: error)
        }
        return run(mirror, &status, now)
    }

    private func run(_ mirror: MirrorFolder, _ status: inout MirrorStatus, _ now: Int) -> Result {
        let start = ContinuousClock.now
        var failure: SyncError?
        do throws(SyncError) {
            try synchronise(mirror, &status, now)
            status.succeed(now)
        } catch {
            failure = error
            if case .cancelled = error {} else { status.failures += 1 }
            status.fail(
                .init(code: error.code, message: "\(error)"), now,
                wait: Backoff.seconds(after: error, failures: status.failures))
        }
        status.contacts = mirror.cards
        status.milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
        if !options.isDry {
            do throws(MirrorError) { try status.write(layout) } catch { failure = failure ?? .mirror(error) }
        }
        return Result(name: source.name, status: status, error: failure)
    }

    private func synchronise(
        _ mirror: MirrorFolder, _ status: inout MirrorStatus, _ now: Int
    ) throws(SyncError) {
        switch source.kind {
        case .carddav:
            let photos = try SourcePhotos(source, options, in: folder, now: now)
            let prepare = photos?.prepare(mirror) ?? { $0 }
            try CardDAVRunner(source, options, secrets, progress).run(mirror, prepare: prepare, &status, now)
            status.changed += try photos?.run(mirror) ?? 0
        case .ldap: try LDAPRunner(source, options, secrets, progress).run(mirror, &status, now)
        case .photos:
            let report = try SourcePhotos(source, options, in: folder, now: now)?.run(books: options.books)
            (status.added, status.failed) = (report?.fetched ?? 0, report?.failed ?? 0)
        }
    }
}

/// A CardDAV source over the network.
package struct CardDAVRunner {
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

    /// `prepare`: see `CardDAVSource`.
    func run(
        _ mirror: MirrorFolder, prepare: @escaping ([UInt8]) -> [UInt8] = { $0 }, _ status: inout MirrorStatus,
        _ now: Int
    ) throws(SyncError) {
        let (url, client) = try client()
        defer { status.requests = client.requests }
        let carddav = CardDAVSource(
            url, client: client, discovery: Discovery(client), mirror: mirror, allowsDeletion: options.allowsDeletion,
            prepare: prepare, progress: progress, now: now)
        let report = try carddav.run()
        (status.added, status.changed, status.failed) = (report.added, report.changed, report.failed)
        (status.removed, status.withheld) = (report.outcome.removed, report.outcome.withheld)
    }

    /// For `tondo sync add`, too. `secret`: nil takes the source's.
    package func client(secret: Secret? = nil) throws(SyncError) -> (WebURL, DAVClient) {
        guard let url = WebURL(source.url) else { throw .http(.url(source.url)) }
        var http = HTTPClient.Options()
        (http.isInsecure, http.certificates) = (source.isInsecure, source.certificates)
        http.isCancelled = { Interrupt.isRequested }
        if source.authentication != .none, source.user != nil || source.authentication == .bearer {
            let found = try SyncError.converting { try secret ?? secrets.read(source) }
            http.credentials = Credentials(
                url.origin, user: source.user ?? "", secret: found, source.authentication)
            http.renew = { [secrets, source] in try secrets.read(source) }
        }
        return (url, DAVClient(HTTPClient(http), pause: Interrupt.wait))
    }
}

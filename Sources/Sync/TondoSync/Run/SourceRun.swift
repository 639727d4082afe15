internal import Glibc
internal import Synchronization
package import SystemPackage
package import TondoMirror

/// One run of one source: from its secret to the record of what happened.
package struct SourceRun {
    /// What the order says about all sources.
    package struct Options: Sendable {
        /// Neither the mirror, its status, nor a photo is written, and no lock is taken.
        package var isDry = false
        /// Deletions need no second run that agrees.
        package var allowsDeletion = false
        /// Despite a back-off.
        package var isManual = true
        /// The program `tondo`, see `SyncOrder`.
        package var program: String?
        /// Address books whose photo URLs are followed.
        package var books: [String] = []
        /// Hosts of photos beside those of a source itself.
        package var photoHosts: [String] = []
        /// The limits of each photo that is fetched.
        package var photos = PhotoFetch.Options()

        package init() {}
    }

    /// The result of a run, for people and programs.
    package struct Result: Sendable {
        /// The source's, for the line of the report.
        package var name: String
        /// Also after an error, with the counts until then.
        package var status: MirrorStatus
        /// Nil: it succeeded.
        package var error: SyncError?
        /// Its back-off is not over; nothing was asked.
        package var isSkipped = false
    }

    let source: SyncSource
    let options: Options
    private(set) var secrets: SecretReader
    let progress: (_ done: Int, _ total: Int) -> Void
    private let folder: FilePath
    let layout: MirrorLayout

    /// `folder`: the folder of all mirrors. `progress`: done and total cards; a total of zero is unknown.
    package init(
        source: SyncSource, in folder: FilePath, options: Options, secrets: SecretReader = .process,
        progress: @escaping (Int, Int) -> Void = { _, _ in }
    ) {
        self.source = source
        self.options = options
        self.secrets = secrets
        self.progress = progress
        self.folder = folder
        layout = MirrorLayout(name: source.name, in: folder)
    }

    /// Blocks until the end of the run; an interruption ends it soon. `now`: seconds since 1970.
    package func run(now: Int = time(nil)) -> Result {
        var status = MirrorStatus.read(layout) ?? MirrorStatus(kind: source.kind.rawValue, lastRun: now)
        status.change(to: source)
        if !options.isManual, mayWait(status, now: now) {
            return Result(name: source.name, status: status, isSkipped: true)
        }
        status.begin(now)
        let mirror: MirrorFolder
        do throws(SyncError) {
            mirror = try SyncError.converting { try MirrorFolder(layout: layout, dry: options.isDry) }
        } catch {
            return Result(name: source.name, status: status, error: error)
        }
        return run(mirror, status: &status, now: now)
    }

    /// Whether an automatic run has to leave the server alone.
    private func mayWait(_ status: MirrorStatus, now: Int) -> Bool {
        let refusal = Refusal(layout: layout)
        if refusal.isNoted { return refusal.stands(source, secrets: secrets) }
        // A clock that was set back does not stop runs.
        return status.notBefore.map { now < $0 && $0 - now <= 2 * 86_400 } ?? false
    }

    private func run(_ mirror: MirrorFolder, status: inout MirrorStatus, now: Int) -> Result {
        let start = ContinuousClock.now
        var failure: SyncError?
        let sent = SentSecret()
        var observed = self
        observed.secrets.observe = sent.take
        do throws(SyncError) {
            try observed.synchronise(mirror, status: &status, now: now)
            status.succeed(now)
            if !options.isDry { Refusal(layout: layout).forget() }
        } catch {
            failure = error
            // An interruption says nothing about the server, so it makes no back-off longer.
            if case .cancelled = error {} else { status.failures += 1 }
            if !options.isDry, error.isRefusal { Refusal(layout: layout).note(source, secret: sent.last) }
            status.fail(
                .init(code: error.code, message: "\(error)"), at: now,
                wait: Backoff.seconds(after: error, failures: status.failures))
        }
        status.contacts = mirror.cards
        let foreign = mirror.foreign
        status.foreign = foreign.isEmpty ? nil : foreign
        status.recovered = mirror.recovery
        status.milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
        if !options.isDry {
            do throws(MirrorError) { try status.write(layout) } catch { failure = failure ?? .mirror(error) }
        }
        return Result(name: source.name, status: status, error: failure)
    }

    private func synchronise(_ mirror: MirrorFolder, status: inout MirrorStatus, now: Int) throws(SyncError) {
        switch source.kind {
        case .carddav, .evolution, .thunderbird:
            let photos = try SourcePhotos(source: source, options: options, in: folder, now: now)
            let prepare = photos?.prepare(mirror) ?? { PreparedCard(bytes: $0) }
            if source.kind.isDesktop {
                try DesktopRunner(sourceRun: self).run(mirror, prepare: prepare, status: &status, now: now)
            } else {
                try CardDAVRunner(sourceRun: self).run(mirror, prepare: prepare, status: &status, now: now)
            }
            // After the cards, which name the URLs.
            status.changed += try photos?.run(mirror) ?? 0
        case .ldap: try LDAPRunner(sourceRun: self).run(mirror, status: &status, now: now)
        case .photos:
            let report = try SourcePhotos(source: source, options: options, in: folder, now: now)?.run(
                books: options.books)
            status.added = report?.fetched ?? 0
            status.failed = report?.failed ?? 0
        }
    }
}

/// The last secret that a run sent. Its threads read secrets of their own.
private final class SentSecret: Sendable {
    private let secret = Mutex<Secret?>(nil)

    var last: Secret? { secret.withLock(\.self) }

    func take(_ new: Secret) { secret.withLock { $0 = new } }
}

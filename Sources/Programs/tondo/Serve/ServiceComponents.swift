import ArgumentParser
import Logging
import SystemPackage
import TondoAvatars
import TondoCache
import TondoConfiguration
import TondoEndpoints
import TondoFiles
import TondoFleet
import TondoImage
import TondoJobs
import TondoRender
import TondoServer

/// The parts that live as long as the process, and create a service for each configuration.
struct ServiceComponents: Sendable {
    let cache: AvatarCache?
    let pipeline: AvatarPipeline
    let broadcaster: EventBroadcaster
    let addressBooks: AddressBookService
    /// Nil: no other instances are known.
    let eventSharing: EventSharing?
    /// Nil: there is no Redis for jobs.
    let workQueue: WorkQueueGauge?
    let connectionLimit: AdjustableLimit
    let output = OutputBudget()
    let sessions = Sessions()
    let page = PageAddress()
    let phone = PhoneListener()
    let log: ServiceLog
    let logger: Logger

    /// Opens the cache; a folder with other files ends the command.
    init(configuration: ServiceConfiguration) throws {
        log = ServiceLog(
            configuration.logLevel.value, isJournal: ServiceLog.isJournal(configuration.environment))
        logger = log.logger
        let folder = configuration.cacheFolder.value ?? configuration.standardCacheFolder
        cache = try CacheLocation.openForDrawing(folder, maxSize: configuration.cacheSize.value)
        // Records the photo being drawn, so that a photo that crashes the process does not crash the next one, too.
        cache?.startDrawingJournal()
        var options = AvatarPipeline.Options()
        options.queue.workers = configuration.workers
        options.queue.room = max(4 * options.queue.workers, 8)
        // Requests that would wait longer are refused, and the client retries.
        options.queue.wait = AvatarService.longestWait
        options.queue.depth = 1_024
        // Each of these takes as much memory as a hundred others.
        options.largeAtOnce = 3
        options.workers = try Self.workers(configuration: configuration, logger: logger)
        options.faces = configuration.sandbox.value.faceDetector { configuration.environment[$0] }
        options.initials = configuration.initials.value.photos(by: options.workers) { [logger] reason in
            logger.warning("\(InitialsOption.text(reason))")
        }
        options.shared = try SharedConnection.tier(
            configuration, connections: 2 * configuration.workers + 2
        ) { [logger] in logger.warning("\($0)") }
        options.fetchedPhotos = configuration.fetchedPhotos
        options.system.onPolling = { [logger] path in
            let text = "the kernel permits no more watches (fs.inotify): changes are looked for every 5 seconds"
            logger.warning("\(path): \(text)", metadata: ["code": "watch-limit"])
        }
        options.onMinute = { Allocator.releaseFreeMemory() }
        options.onIdle = { Allocator.trimForIdle() }
        pipeline = AvatarPipeline(cache: cache, options)
        broadcaster = EventBroadcaster(
            capacity: configuration.events.value, maxSize: configuration.eventsSize.value,
            numbers: EventNumbers(file: configuration.eventNumbersFile, clock: EventBroadcaster.firstByClock))
        addressBooks = AddressBookService(
            pipeline, broadcaster: broadcaster, trash: configuration.trash,
            favourites: Favourites(file: configuration.favouritesFile) { [logger] notice in
                logger.warning("\(notice)", metadata: ["code": "favourites"])
            },
            longestWait: AddressBookService.longestWait(hasOthers: configuration.sharedStreams.value != nil))
        eventSharing = try EventSharing(configuration: configuration, addressBooks: addressBooks, log: log)
        workQueue = eventSharing.map { WorkQueueGauge(address: $0.address) }
        addressBooks.onUnreadable { [logger] book, components in
            if components.isEmpty {
                logger.notice("\(book): all of its folders and files are readable again")
            } else {
                let text = "\(book): \(components.count) of its folders and files are unreadable; the rest is served"
                logger.error("\(text): \(components)", metadata: ["code": "book-unreadable"])
            }
        }
        addressBooks.onBroken { [logger] book, failure in
            // A file or folder, see `onUnreadable`.
            if failure.code == "book-unreadable" { return }
            let place = LoadReporter.place(FilePath(failure.file), failure.line, in: LoadReporter.folder(of: book))
            logger.warning("\(place): \(failure.message)", metadata: ["code": "\(failure.code)"])
        }
        addressBooks.onLost { [logger] book, error in
            guard let error else { return logger.notice("\(book): can be read again") }
            let text = "\(error); its contacts are served as they were last read; retried with back-off (60 s at most)"
            logger.error("\(text)", metadata: ["code": "\(error.code)"])
        }
        connectionLimit = AdjustableLimit(limit: 0)
        take(limitsOf: configuration)
    }

    /// The processes that decode photos. A photo is never decoded in this process because none can be confined.
    static func workers(configuration: ServiceConfiguration, logger: Logger) throws -> RenderWorkers? {
        do throws(WorkerFailure) {
            let workers = try configuration.sandbox.value.workers(limits: Limits(), slots: configuration.workers) {
                configuration.environment[$0]
            }
            if workers == nil { logger.warning("the sandbox is off: photos are decoded in the process of the service") }
            if let problem = workers?.faces.problem { logger.warning("\(FaceModelWarning.text(problem))") }
            return workers
        } catch {
            Terminal.reportError("\(error); the setting sandbox = \"off\" decodes photos in the process of the service")
            throw ExitCode.misconfigured
        }
    }

    /// Applies the limits that can change while the service runs.
    func take(limitsOf configuration: ServiceConfiguration) {
        cache?.limit(to: configuration.cacheSize.value)
        let descriptors = DescriptorLimit.raise()
        connectionLimit.value = DescriptorLimit.connections(configuration.connections.value, of: descriptors)
        if connectionLimit.value < configuration.connections.value {
            logger.warning("only \(connectionLimit.value) connections: the limit of open files is \(descriptors)")
        }
    }

    /// The service for a configuration. Throws a problem if the token file is invalid.
    func service(_ configuration: ServiceConfiguration) throws(SettingsProblem) -> AvatarService {
        var options = AvatarService.Options()
        options.styles = configuration.avatarStyles
        options.fallbackHosts = configuration.fallbackHosts.value
        options.isRound = configuration.isRound.value
        options.maxAge = configuration.maxAge.value
        options.output = output
        options.webPQuality = configuration.webPQuality.value
        options.trash = configuration.trash
        options.version = Tondo.version
        options.mirrors = configuration.mirrors
        if let queue = workQueue { options.workQueue = { queue.report } }
        options.address = { [page] in page.value }
        let token = try token(configuration)
        sessions.belong(to: token)
        let guarding = RequestGuard(
            hosts: HostGuard(configured: Array(configuration.hosts.value)), token: token,
            open: configuration.openAreas.value, sessions: sessions, phone: phone)
        return AvatarService(addressBooks, cache: cache, guard: guarding, options: options, logger: logger)
    }

    /// Logs what other machines can read without the token, at the start and after each change of the configuration.
    func report(accessOf configuration: ServiceConfiguration) {
        guard configuration.isExposed else { return }
        logger.notice(
            "for other machines /avatar/HASH, /healthz and /readyz are public; all other paths need the token")
        for area in ServiceArea.allCases where configuration.openAreas.value.contains(area) {
            logger.warning("the setting public opens \(area.rawValue) without the token: \(area.paths)")
        }
    }

    private func token(_ configuration: ServiceConfiguration) throws(SettingsProblem) -> AccessToken? {
        let path: FilePath
        if let named = configuration.tokenFile.value {
            path = named
            // If that fails, reading the file reports the reason.
            try? TokenFile.replaceIfEmpty(named)
        } else {
            guard let standard = configuration.standardTokenFile else { return nil }
            do { try TokenFile.make(standard) } catch {
                logger.warning(
                    "no token: only the user of the Unix socket can change data",
                    metadata: ["\(standard)": "\(error)"])
                return nil
            }
            path = standard
        }
        do { return try AccessToken(file: path.string) } catch {
            throw SettingsProblem(origin: .file(path.string, line: nil), reason: "the token \(Self.reason(error))")
        }
    }

    /// The end of a sentence that begins with the token.
    static func reason(_ failure: AccessToken.Failure) -> String {
        switch failure {
        case .unreadable(let reason): "cannot be read: \(reason)"
        case .exposed: "must have mode 0600 and belong to the user of the service"
        case .malformed:
            "must be one line of \(AccessToken.lengths.lowerBound) to \(AccessToken.lengths.upperBound) visible characters"
        }
    }
}

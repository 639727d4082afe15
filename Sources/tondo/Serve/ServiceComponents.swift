import ArgumentParser
import Logging
import SystemPackage
import TondoAvatars
import TondoCache
import TondoFiles
import TondoJobs
import TondoServer
import TondoSettings

/// The parts that live as long as the process, and create a service for each configuration.
struct ServiceComponents: Sendable {
    let cache: AvatarCache?
    let pipeline: AvatarPipeline
    let broadcaster: EventBroadcaster
    let addressBooks: AddressBookService
    let connectionLimit: AdjustableLimit
    let log: ServiceLog
    let logger: Logger
    private let environment: [String: String]

    /// Opens the cache; a folder with other files ends the command.
    init(_ configuration: ServiceConfiguration, environment: [String: String]) throws {
        self.environment = environment
        log = ServiceLog(configuration.logLevel, isJournal: ServiceLog.isJournal(environment))
        logger = log.logger
        let folder = configuration.cacheFolder ?? Self.cacheFolder(environment)
        cache = try CacheLocation.openForDrawing(folder, maxSize: configuration.cacheSize)
        // Records the photo being drawn, so that a photo that crashes the process does not crash the next one, too.
        cache?.startDrawingJournal()
        var options = AvatarPipeline.Options()
        if configuration.jobs > 0 { options.queue.workers = configuration.jobs }
        options.queue.room = max(4 * options.queue.workers, 8)
        // Requests that would wait longer are refused, and the client retries.
        options.queue.wait = AvatarService.longestWait
        options.queue.depth = 1_024
        options.onMinute = { Allocator.releaseFreeMemory() }
        options.onIdle = { Allocator.trimForIdle() }
        pipeline = AvatarPipeline(cache: cache, options)
        broadcaster = EventBroadcaster(
            capacity: configuration.events, maxSize: configuration.eventsSize, first: EventBroadcaster.firstByClock)
        addressBooks = AddressBookService(pipeline, broadcaster: broadcaster, trash: Self.trash(environment))
        addressBooks.onUnreadable { [logger] book, components in
            if components.isEmpty {
                logger.notice("\(book): all of its folders and files are readable again")
            } else {
                let text = "\(book): \(components.count) of its folders and files are unreadable; the rest is served"
                logger.error("\(text): \(components)", metadata: ["code": "book-unreadable"])
            }
        }
        connectionLimit = AdjustableLimit(0)
        take(limitsOf: configuration)
    }

    /// Applies the limits that can change while the service runs.
    func take(limitsOf configuration: ServiceConfiguration) {
        cache?.limit(to: configuration.cacheSize)
        let descriptors = DescriptorLimit.raise()
        connectionLimit.value = DescriptorLimit.connections(configuration.connections, of: descriptors)
        if connectionLimit.value < configuration.connections {
            logger.warning("only \(connectionLimit.value) connections: the limit of open files is \(descriptors)")
        }
    }

    /// The service for a configuration. Throws a problem if the token file is invalid.
    func service(_ configuration: ServiceConfiguration) throws(SettingsProblem) -> AvatarService {
        var options = AvatarService.Options()
        (options.styles, options.fallbackHosts) = (configuration.styles, configuration.fallbackHosts)
        (options.isRound, options.maxAge) = (configuration.isRound, configuration.maxAge)
        options.trash = Self.trash(environment)
        let guarding = RequestGuard(
            hosts: HostGuard(configured: configuration.hosts), token: try token(configuration),
            open: configuration.openAreas)
        return AvatarService(addressBooks, cache: cache, guard: guarding, options, logger: logger)
    }

    /// Logs what other machines can read without the token, at the start and after each change of the configuration.
    func report(accessOf configuration: ServiceConfiguration) {
        guard configuration.isExposed else { return }
        logger.notice(
            "for other machines /avatar/HASH, /healthz and /readyz are public; all other paths need the token")
        for area in ServiceArea.allCases where configuration.openAreas.contains(area) {
            logger.warning("the setting public opens \(area.rawValue) without the token: \(area.paths)")
        }
    }

    private func token(_ configuration: ServiceConfiguration) throws(SettingsProblem) -> AccessToken? {
        let path: String
        if let named = configuration.tokenFile {
            path = named
            // If that fails, reading the file reports the reason.
            try? TokenFile.replaceIfEmpty(FilePath(named))
        } else {
            guard let standard = TokenFile.standard(environment) else { return nil }
            do { try TokenFile.make(standard) } catch {
                logger.warning(
                    "no token: only the user of the Unix socket can change data",
                    metadata: ["\(standard)": "\(error)"])
                return nil
            }
            path = standard.string
        }
        do { return try AccessToken(file: path) } catch {
            throw SettingsProblem(origin: .file(path, line: nil), reason: "the token \(Self.reason(error))")
        }
    }

    private static func reason(_ failure: AccessToken.Failure) -> String {
        switch failure {
        case .unreadable(let reason): "cannot be read: \(reason)"
        case .exposed: "must have mode 0600 and belong to the user of the service"
        case .malformed:
            "must be one line of \(AccessToken.lengths.lowerBound) to \(AccessToken.lengths.upperBound) visible characters"
        }
    }

    /// Next to the token in the state folder of systemd.
    private static func trash(_ environment: [String: String]) -> Trash? {
        let place = StandardPaths(environment).serviceState?.appending("trash")
        return (place ?? Trash.standard { environment[$0].map { FilePath($0) } }).map { Trash($0) }
    }

    static func cacheFolder(_ environment: [String: String]) -> FilePath? {
        StandardPaths(environment).serviceCache ?? CacheDirectory.standard { environment[$0].map { FilePath($0) } }
    }
}

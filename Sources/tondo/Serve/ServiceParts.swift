import ArgumentParser
import Logging
import SystemPackage
import TondoAvatars
import TondoCache
import TondoJobs
import TondoServer
import TondoSettings

/// What lives as long as the process, and makes the service that answers for as long as its settings hold.
struct ServiceParts: Sendable {
    let cache: AvatarCache?
    let pipeline: AvatarPipeline
    let ring: EventRing
    let library: Library
    let connectionLimit: AdjustableLimit
    let log: ServiceLog
    let logger: Logger
    private let environment: [String: String]

    /// Opens the cache; a folder that holds something else ends the command.
    init(_ plan: ServicePlan, environment: [String: String]) throws {
        self.environment = environment
        log = ServiceLog(plan.logLevel, isJournal: ServiceLog.isJournal(environment))
        logger = log.logger
        let folder = plan.cacheFolder ?? Self.cacheFolder(environment)
        cache = try CacheLocation.openForDrawing(folder, maxSize: plan.cacheSize)
        // A photo that ends the process must not end the next one at once.
        cache?.noteDrawings()
        var options = AvatarPipeline.Options()
        if plan.jobs > 0 { options.queue.workers = plan.jobs }
        options.queue.room = max(4 * options.queue.workers, 8)
        // Who would wait longer is told to come again.
        options.queue.wait = AvatarService.longestWait
        options.queue.depth = 1_024
        options.onMinute = { Allocator.giveBack() }
        options.onLull = { Allocator.rest() }
        pipeline = AvatarPipeline(cache: cache, options)
        ring = EventRing(
            capacity: plan.events, maxSize: plan.eventsSize, first: EventRing.firstByClock)
        library = Library(pipeline, ring: ring, trash: Self.trash(environment))
        library.onUnreadable { [logger] book, parts in
            if parts.isEmpty {
                logger.notice("\(book): everything in it can be read again")
            } else {
                let text = "\(book): \(parts.count) of its folders and files cannot be read, the rest is served"
                logger.error("\(text): \(parts)", metadata: ["code": "book-unreadable"])
            }
        }
        connectionLimit = AdjustableLimit(0)
        take(limitsOf: plan)
    }

    /// Those that may change while the service runs.
    func take(limitsOf plan: ServicePlan) {
        cache?.limit(to: plan.cacheSize)
        let descriptors = DescriptorLimit.raise()
        connectionLimit.value = DescriptorLimit.connections(plan.connections, of: descriptors)
        if connectionLimit.value < plan.connections {
            logger.warning("only \(connectionLimit.value) connections: \(descriptors) files may be open")
        }
    }

    /// What answers by these settings. Throws a problem when the token's file is no good.
    func service(_ plan: ServicePlan) throws(SettingsProblem) -> AvatarService {
        var options = AvatarService.Options()
        (options.styles, options.fallbackHosts) = (plan.styles, plan.fallbackHosts)
        (options.isRound, options.maxAge) = (plan.isRound, plan.maxAge)
        options.trash = Self.trash(environment)
        let guarding = RequestGuard(
            hosts: HostGuard(configured: plan.hosts), token: try token(plan), open: plan.openAreas)
        return AvatarService(library, cache: cache, guard: guarding, options, logger: logger)
    }

    /// What anybody may see from beyond this machine, once at the start and after each change of the settings.
    func report(accessOf plan: ServicePlan) {
        guard plan.isExposed else { return }
        logger.notice(
            "beyond this machine /avatar/HASH, /healthz and /readyz are public; everything else needs the token")
        for area in ServiceArea.allCases where plan.openAreas.contains(area) {
            logger.warning("the setting public opens \(area.rawValue) without the token: \(area.paths)")
        }
    }

    private func token(_ plan: ServicePlan) throws(SettingsProblem) -> AccessToken? {
        let path: String
        if let named = plan.tokenFile {
            path = named
            // Where that fails, reading it says why.
            try? TokenFile.replaceIfEmpty(FilePath(named))
        } else {
            guard let standard = TokenFile.standard(environment) else { return nil }
            do { try TokenFile.make(standard) } catch {
                logger.warning(
                    "no token: only the Unix socket's own user may change anything",
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
        case .exposed: "has to be its owner's alone: mode 0600, and the service's own file"
        case .malformed:
            "is one line of \(AccessToken.lengths.lowerBound) to \(AccessToken.lengths.upperBound) visible characters"
        }
    }

    /// Beside the token where systemd keeps the service's state.
    private static func trash(_ environment: [String: String]) -> Trash? {
        if let folder = environment["STATE_DIRECTORY"]?.split(separator: ":").first, folder.hasPrefix("/") {
            return Trash(FilePath(String(folder)).appending("trash"))
        }
        return Trash.standard { environment[$0].map { FilePath($0) } }.map { Trash($0) }
    }

    static func cacheFolder(_ environment: [String: String]) -> FilePath? {
        if let folder = environment["CACHE_DIRECTORY"]?.split(separator: ":").first, folder.hasPrefix("/") {
            return FilePath(String(folder))
        }
        return CachePlace.standard { environment[$0].map { FilePath($0) } }
    }
}

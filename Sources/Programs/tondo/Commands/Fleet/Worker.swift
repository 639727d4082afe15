import ArgumentParser
import Glibc
import Logging
import SystemPackage
import TondoAvatars
import TondoCache
import TondoConfiguration
import TondoFleet
import TondoJobs
import TondoRender
import TondoServer

/// `tondo worker`: draws the jobs of a work queue.
struct Worker: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker", abstract: "Draws the jobs of a work queue in Redis.",
        discussion: """
            EXAMPLES
              tondo worker /srv/contacts     jobs of the configured queue; photos in here
              tondo worker --shared-streams unix:/run/redis/redis.sock --cache-dir cache-2

            PHOTOS
            Jobs come from 'tondo load --enqueue'. Their photos are files under the same path on this machine, inside the \
            folders that are named here or as books of the configuration, or temporary copies in the Redis of the shared \
            avatars. Avatars go to the cache folder and to the shared avatars.

            SIGNALS
            SIGTERM and Ctrl-C end it when its jobs are finished; what takes longer than ten seconds is handed back. A job \
            of a worker that was killed is drawn by another one, alone; after three workers it goes to the dead jobs, see \
            'tondo jobs'.

            \(ExitStatusText.text(
                [
                    0: "ended by a signal", ExitCode.unavailable.rawValue: "no confined process for decoding could be started",
                    ExitCode.fewDescriptors.rawValue: "the limit of open files is too low",
                    ExitCode.misconfigured.rawValue: "an error in the configuration, or no work queue in it",
                ], noInput: "the cache folder holds other files", isEndedByReader: false))
            """)

    @Argument(
        help: ArgumentHelp("Folders whose files jobs may name (default: the configured books).", valueName: "folder"),
        completion: .directory)
    var folders: [String] = []

    @OptionGroup var fleet: FleetOptions
    @OptionGroup var shared: SharedOptions
    @Option(\.cacheFolder, completion: .directory) var cacheDir: String?
    @Option(\.cacheSize) var cacheMaxSize: String?
    @Option(\.jobs) var jobs: String?
    @Option(\.sandbox) var sandbox: String?
    @Option(\.logLevel) var logLevel: String?

    @Option(help: ArgumentHelp("Name among the workers (default: host and process).", valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "The shortest time after which a job of another worker counts as abandoned; the same for all workers.",
            valueName: "seconds"))
    var claimAfter = 15.0

    @Flag(help: "Print one JSON object for each finished job.")
    var json = false

    func validate() throws {
        if !(0.1...3_600).contains(claimAfter) {
            throw ValidationError("--claim-after \(claimAfter): must be 0.1...3600.")
        }
        if name?.isEmpty == true { throw ValidationError("--name needs a name.") }
    }

    func run() throws {
        StandardStreams.prepare()
        Allocator.keepFreedMemory()
        let configuration = try fleet.configuration(shared, flags: flags)
        try DescriptorLimit.require(DescriptorLimit.base, jobs: configuration.workers)
        let addresses = try FleetAddresses(configuration)
        let log = ServiceLog(
            configuration.logLevel.value, isJournal: ServiceLog.isJournal(configuration.environment))
        let pipeline = try pipeline(configuration: configuration, logger: log.logger)
        let worker = FleetWorker(pipeline, options: options(configuration: configuration, logger: log.logger))
        let notifier = ServiceNotifier(environment: configuration.environment, process: getpid())
        // The first signal finishes the jobs; for a second one, others draw what this worker has not finished.
        let interrupts = Interrupts {
            notifier.stopping()
            worker.stop()
        } again: {
            _exit(130)
        }
        notifier.ready(status: "worker \(workerName)")
        log.logger.info("worker \(workerName) draws the jobs of \(addresses.streams)")
        let photos = SharedPhotos(folders: configuration.books.value, blobs: addresses.blobs)
        worker.run(addresses.stream, from: photos)
        pipeline.options.workers?.endIdle()
        pipeline.cache?.close()
        interrupts.end()
        log.logger.info("ended")
    }

    private var flags: [SettingFlag?] {
        let settings = ServiceConfiguration.builtIn
        return [
            settings.cacheFolder.flag(cacheDir), settings.cacheSize.flag(cacheMaxSize), settings.jobs.flag(jobs),
            settings.logLevel.flag(logLevel), settings.books.flag(folders), settings.sandbox.flag(sandbox),
        ]
    }

    private var workerName: String {
        if let name { return name }
        var host = [CChar](repeating: 0, count: 65)
        gethostname(&host, host.count - 1)
        let bytes = host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return "\(String(decoding: bytes, as: UTF8.self))-\(getpid())"
    }

    private func pipeline(
        configuration: ServiceConfiguration, logger: Logger
    ) throws -> AvatarPipeline {
        let folder = configuration.cacheFolder.value ?? configuration.standardCacheFolder
        let cache = try CacheLocation.openForDrawing(folder, maxSize: configuration.cacheSize.value)
        // Records the photo being drawn, so that a photo that crashes the process does not crash the next one, too.
        cache?.startDrawingJournal()
        var options = AvatarPipeline.Options()
        options.queue.workers = configuration.workers
        options.queue.room = max(4 * options.queue.workers, 8)
        options.workers = try ServiceComponents.workers(configuration: configuration, logger: logger)
        options.faces = configuration.sandbox.value.faceDetector { configuration.environment[$0] }
        // No client waits. Within the 50 ms of a service, a busy machine did not store every avatar.
        options.shared = try SharedConnection.tier(
            configuration, connections: 2 * configuration.workers + 2, time: .seconds(1)
        ) { logger.warning("\($0)") }
        return AvatarPipeline(cache: cache, options)
    }

    private func options(configuration: ServiceConfiguration, logger: Logger) -> FleetWorker.Options {
        var options = FleetWorker.Options(name: workerName)
        // Half of these are taken together: with fewer, threads would wait for the next reading.
        options.jobs = 8 * configuration.workers
        options.claimTime.shortest = .milliseconds(Int(claimAfter * 1_000))
        options.report = { report in
            switch report {
            case .finished(let result, let contact, let deliveries):
                if json {
                    try? StandardOutput.write(
                        report: FinishedJob(result: result, contact: contact, deliveries: deliveries))
                }
                guard let code = result.code else { return }
                logger.notice("\(contact): \(result.message)", metadata: ["code": "\(code)"])
            case .unreachable(let error): logger.error("\(error); tried again with back-off")
            case .reachable: logger.notice("the work stream answers again")
            case .unshared(let contact):
                logger.warning("\(contact): the shared tier does not take its avatars; tried again")
            }
        }
        return options
    }
}

/// One line of `tondo worker --json`.
private struct FinishedJob: Encodable {
    var event = "job"
    var contact: String
    var drawn: Int
    var cached: Int
    var deliveries: Int
    var code: String?
    var message: String?

    init(result: JobResult, contact: String, deliveries: Int) {
        self.contact = contact
        self.deliveries = deliveries
        code = result.code
        drawn = result.avatars.count { $0.isDrawn }
        cached = result.avatars.count - drawn
        if code != nil { message = result.message }
    }
}

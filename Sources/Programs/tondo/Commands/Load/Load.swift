import ArgumentParser
import Glibc
import SystemPackage
import TondoAvatars
import TondoCache
import TondoConfiguration
import TondoContacts
import TondoFiles
import TondoImage
import TondoJobs

/// `tondo load`: an address book in, events out, avatars into the cache.
struct Load: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load", abstract: "Loads an address book and the avatars of all contacts.",
        discussion: """
            EXAMPLES
              tondo load                              the books of the configuration
              tondo load ~/.contacts                  96 x 96 pixels, into the cache
              tondo load book.vcf --size 48 --scale 1,2 --state normal,selected
              tondo load ~/.contacts --json           one JSON object per event
              tondo load ~/.contacts --watch          also changes, until Ctrl-C
              tondo load ~/.contacts --enqueue        drawn by 'tondo worker'

            BOOKS
            A folder of .vcf files as vdirsyncer keeps it, or one file: vCard 2.1, 3.0 and 4.0, CSV (Google Contacts, \
            Outlook, Thunderbird, LinkedIn, Apple, or any table whose header names Name, Email and the like), LDIF, JSON, \
            XML property lists of friend groups; the content decides. Photos are in the book or in files \
            inside its folder; photos at URLs are shown if 'tondo sync' fetched them. A contact without a usable photo gets its initials, or a \
            neutral silhouette without a name. Without BOOK, the books of the configuration are loaded, one after the other.

            EVENTS
              total           count; the first event
              contact         index, contact; before the contact's avatars
              avatar          contact, style, state, scale, key, url, kind, source, ms
              avatarFailed    contact, code, message; initials or a silhouette follow
              contactFailed   file, line, code, message; the others are loaded
              finished        contacts, avatars, cached, rendered, failed, ms
              contactChanged  index, contact; with --watch, also for new contacts
              contactRemoved  id; with --watch
            Each has 'event', its name, and 'seq', which grows with every event. The name of a style is its size.

            QUEUE
            With --enqueue the avatars that the cache lacks are published as jobs in Redis, and 'tondo worker' draws them, on \
            any number of machines. Workers read photo files under the same path; photos inside a book go as temporary \
            copies of 1 MiB at most, and larger ones are drawn here. With --follow, also on a terminal, it waits for the \
            results, reports them as events, and publishes again what Redis lost. A full queue makes it wait.

            EXIT STATUS
              0    all contacts are loaded and have avatars
              1    some photos or contacts failed, each reported; the others are done
              64   wrong usage
              66   a book cannot be read, or the cache folder holds other files
              69   no confined process for decoding could be started, the Redis of the
                   queue does not answer, or the queue is full and --no-wait is given
              71   the limit of open files is too low
              74   standard output cannot be written
              78   the configuration is invalid, or names no book; the Redis of the
                   shared avatars or of the queue is not set up for that; --enqueue: no
                   queue is configured
              130  interrupted before the end of the first pass
              141  the reader of standard output closed it
            """)

    @Argument(
        help: ArgumentHelp(
            "A folder of vCards, or a book file (default: the books of the configuration, with those of 'tondo sync').",
            valueName: "book"), completion: .file())
    var book: String?

    @OptionGroup(title: "Style")
    var style: StyleOptions

    @Flag(help: "Keep running and report changes of the book until Ctrl-C.")
    var watch = false

    @Option(
        help: ArgumentHelp(
            "Load the avatars of the contacts with these ids first; several with commas.", valueName: "id,..."))
    var first: String?

    @OptionGroup
    var location: CacheLocation

    @Option(
        help: ArgumentHelp(
            "Size above which the cache evicts the least recently used entries: 500MB, 2GiB.", valueName: "bytes"))
    var cacheMaxSize = ByteCount(AvatarCache.defaultMaxSize)

    @Option(help: "Number of photos drawn in parallel (default: the number of cores).")
    var jobs: Int?

    @Option(help: ArgumentHelp("Maximum memory for decoding one photo.", valueName: "bytes"))
    var maxMemory = ByteCount(Limits().maxMemory)

    @OptionGroup
    var sandbox: SandboxOption

    @OptionGroup
    var shared: SharedOptions

    @OptionGroup
    var sync: SyncFolderOption

    @Option(
        help: ArgumentHelp(
            "The rule for the initials of contacts without a photo; off: a silhouette.", valueName: "rule"))
    var initials = InitialsRule.tondo

    @Flag(help: "Publish the avatars as jobs of a work queue in Redis.")
    var enqueue = false

    @Flag(
        inversion: .prefixedNo,
        help: "With --enqueue: wait for the results, and report them (default: on a terminal).")
    var follow: Bool?

    @Flag(inversion: .prefixedNo, help: "With --enqueue: wait while the queue is full.")
    var wait = true

    @OptionGroup(title: "Queue")
    var fleet: FleetOptions

    @Flag(help: "Print one JSON object per line: the events as they happen.")
    var json = false

    @Flag(name: .shortAndLong, help: "Print failures only.")
    var quiet = false

    @Option(help: ArgumentHelp("When to show progress on standard error.", valueName: "when"))
    var progress = ProgressMode.auto

    func validate() throws {
        if book == "" { throw ValidationError("The name of the book is empty.") }
        if enqueue, watch { throw ValidationError("--watch does not go with --enqueue: 'tondo serve' follows books.") }
        if !enqueue, follow != nil || !wait { throw ValidationError("--follow and --no-wait need --enqueue.") }
        if !enqueue, fleet.sharedStreams != nil { throw ValidationError("--shared-streams needs --enqueue.") }
        if !enqueue, book != nil, fleet.file.config != nil {
            throw ValidationError("--config needs --enqueue, or no book.")
        }
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs \(jobs): must be 1...1024.") }
    }

    func run() throws {
        StandardStreams.prepare()
        Allocator.keepFreedMemory()
        try DescriptorLimit.require(DescriptorLimit.base, jobs: jobs ?? Processors.available)
        var arguments = RawArguments()
        let paths = try fleet.file.books(named: book, &arguments)
        if watch, paths.count > 1 {
            Terminal.reportError("--watch follows one book, and the configuration has \(paths.count): name one of them")
            throw ExitCode.validationFailure
        }
        let cachePath = location.path(&arguments)
        let cache = try CacheLocation.openForDrawing(cachePath, maxSize: cacheMaxSize.bytes)
        let fetched = sync.fetchedPhotos(&arguments)
        defer { cache?.close() }
        if enqueue { return try enqueue(paths, cache: cache, fetched: fetched) }
        let pipeline = try pipeline(cache: cache, fetched: fetched)
        try loadEach(paths) { load($0, by: pipeline, isOnly: paths.count == 1, after: $1) }
    }

    /// The status of one book's load, and the number of its last event.
    typealias End = (status: ExitCode, number: UInt64)

    /// Loads one book after the other; events are numbered through. A book that cannot be read, and failures in one, do not
    /// keep the others from being loaded; the worst of the statuses ends the command.
    func loadEach(_ paths: [FilePath], _ load: (FilePath, _ after: UInt64) throws -> End) throws {
        var worst = ExitCode.success.rawValue
        var number: UInt64 = 0
        for path in paths {
            let end = try load(path, number)
            number = end.number
            if ![.success, ExitCode(1), .bookUnreadable].contains(end.status) { throw end.status }
            worst = max(worst, end.status.rawValue)
        }
        if worst != 0 { throw ExitCode(worst) }
    }

    /// `isOnly`: there are no further books, which may have the contacts of `--first`.
    private func load(_ path: FilePath, by pipeline: AvatarPipeline, isOnly: Bool, after number: UInt64) -> End {
        let loader = ContactLoader(
            path, styles: style.styles.map { AvatarStyle($0) }, pipeline: pipeline, isWatching: watch)
        let wanted = first.map { $0.split(separator: ",").map(String.init) } ?? []
        let reporter = LoadReporter(
            path, isJSON: json, isQuiet: quiet, meter: meter, isWatching: watch, expecting: isOnly ? Set(wanted) : [],
            after: number
        ) { loader.cancel() }
        let interrupts = Interrupts {
            reporter.interrupt()
            loader.cancel()
        } again: {
            Interrupts.quit()
        }
        // Before the load begins, so that these contacts are first from the start.
        loader.show(wanted)
        loader.load {
            reporter.report($0.map { ($0.event, $0.number) })
        } paused: {
            reporter.pause()
        } failed: {
            reporter.fail($0)
        }
        let status = reporter.wait()
        interrupts.end()
        return (status, reporter.lastNumber)
    }

    /// `configuration`: has the Redis of the shared avatars; nil: the options alone.
    func pipeline(
        cache: AvatarCache?, fetched: FilePath?, configuration: ServiceConfiguration? = nil
    ) throws -> AvatarPipeline {
        var options = AvatarPipeline.Options()
        options.fetchedPhotos = fetched
        options.limits.maxMemory = maxMemory.bytes
        if let jobs { options.queue.workers = jobs }
        options.workers = try sandbox.workers(options.limits, slots: options.queue.workers)
        options.faces = sandbox.faceDetector
        options.shared = try shared.tier(jobs: options.queue.workers, configuration)
        options.initials = initials.photos(by: options.workers) { InitialsOption.warn($0) }
        return AvatarPipeline(cache: cache, options)
    }

    var meter: LoadMeter? {
        progress.canRedraw ? progress.delay(isQuiet: quiet).map { LoadMeter(delay: $0) } : nil
    }
}

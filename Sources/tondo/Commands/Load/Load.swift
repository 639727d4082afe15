import ArgumentParser
import Glibc
import SystemPackage
import TondoAvatars
import TondoCache
import TondoImage
import TondoJobs

/// `tondo load`: an address book in, events out, faces into the cache.
struct Load: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Loads an address book and prepares everybody's face.",
        discussion: """
            EXAMPLES
              tondo load ~/.contacts                  96 x 96 pixels, into the cache
              tondo load book.vcf --size 48 --scale 1,2 --state normal,selected
              tondo load ~/.contacts --json           one JSON object an event
              tondo load ~/.contacts --watch          and what changes, until Ctrl-C

            BOOKS
              A folder of .vcf files as vdirsyncer keeps it, or one file: vCard 2.1, 3.0 and 4.0, CSV (Google Contacts, \
            Outlook, Thunderbird, LinkedIn, Apple, or any table whose header names Name, Email and the like), LDIF, JSON, \
            XML property lists of friend groups; told by their content. Photos lie in the book or in files \
            inside its folder; what lies on the net is not fetched. Who has no usable photo gets a neutral silhouette.

            EVENTS
              total           count; first of all
              contact         index, contact; before the person's faces
              avatar          contact, style, state, scale, key, url, source, ms
              avatarFailed    contact, code, message; a silhouette follows
              contactFailed   file, line, code, message; the others are loaded
              finished        contacts, avatars, cached, rendered, failed, ms
              contactChanged  contact; with --watch, new people too
              contactRemoved  id; with --watch
              Each has 'event', its name, and 'seq', which grows with every event. A style is called by its size.

            EXIT STATUS
              0    everybody is loaded and has a face
              1    some photos or people failed, each named; the others are done
              64   wrong usage
              66   the book cannot be read, or the cache cannot be used
              130  interrupted before the end of the first pass
            """)

    @Argument(help: ArgumentHelp("A folder of vCards, or a book file.", valueName: "book"), completion: .file())
    var book: String

    @OptionGroup(title: "Style")
    var style: StyleOptions

    @Flag(help: "Stay, and tell what changes in the book, until Ctrl-C.")
    var watch = false

    @Option(
        help: ArgumentHelp(
            "Prepare these people's faces first, by their ids; several with commas.", valueName: "id,..."))
    var first: String?

    @OptionGroup
    var location: CacheLocation

    @Option(
        help: ArgumentHelp(
            "Bytes beyond which the cache drops what was used least recently: 500MB, 2GiB.", valueName: "bytes"))
    var cacheMaxSize = ByteCount(AvatarCache.defaultMaxSize)

    @Option(help: "Photos drawn at the same time (default: the cores).")
    var jobs: Int?

    @Option(help: ArgumentHelp("Memory one photo's decode may take.", valueName: "bytes"))
    var maxMemory = ByteCount(Limits().maxMemory)

    @Flag(help: "One JSON object a line: the events as they happen.")
    var json = false

    @Flag(name: .shortAndLong, help: "Print failures only.")
    var quiet = false

    @Option(help: "Show progress on standard error: auto, always or never.")
    var progress = Convert.ProgressMode.auto

    func validate() throws {
        if book.isEmpty { throw ValidationError("The book has no name: it is an empty text.") }
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs \(jobs): 1...1024.") }
    }

    func run() throws {
        StandardStreams.prepare()
        Allocator.keepFreedMemory()
        var arguments = RawArguments()
        let path = arguments.path(book)
        let place = try location.requiredPath(&arguments)
        // Faces that are kept nowhere would be of no use.
        guard let cache = try CacheLocation.openForDrawing(place, maxSize: cacheMaxSize.bytes) else {
            throw ExitCode.cacheUnusable
        }
        let loader = ContactLoader(
            path, styles: style.styles.map { AvatarStyle($0) }, pipeline: pipeline(cache), isWatching: watch)
        let wanted = first.map { $0.split(separator: ",").map(String.init) } ?? []
        let reporter = LoadReporter(
            isJSON: json, isQuiet: quiet, meter: meter, isWatching: watch, expecting: Set(wanted))
        let interrupts = Interrupts {
            reporter.interrupt()
            loader.cancel()
        } again: {
            AtomicFile.abandon()
            _exit(130)
        }
        reporter.whenOutputFails { loader.cancel() }
        loader.show(wanted)
        loader.load {
            reporter.tell($0)
        } failed: {
            reporter.fail($0)
        }
        let end = reporter.wait()
        cache.close()
        interrupts.end()
        if end != .success { throw end }
    }

    private func pipeline(_ cache: AvatarCache?) -> AvatarPipeline {
        var options = AvatarPipeline.Options()
        options.limits.maxMemory = maxMemory.bytes
        if let jobs { options.queue.workers = jobs }
        return AvatarPipeline(cache: cache, options)
    }

    private var meter: LoadMeter? {
        if quiet && progress != .always { return nil }
        switch progress {
        case .never: return nil
        case .always: return LoadMeter()
        case .auto: return Terminal.isInteractive ? LoadMeter() : nil
        }
    }
}

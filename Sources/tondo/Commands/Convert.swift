import ArgumentParser
import SystemPackage
import TondoAvatars
import TondoCache
import TondoImage

/// `tondo convert`: photos in, round avatars out.
struct Convert: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Converts photos and address books to round avatar PNGs.",
        discussion: """
            EXAMPLES
              tondo convert ada.jpg                       avatars/ada.png, 96 x 96 pixels
              tondo convert photos --recursive -o faces   a tree, its folders kept
              tondo convert ~/.contacts -o faces          a face a contact: faces/Ada Lovelace.png
              tondo convert - -o - < ada.jpg > ada.png    through pipes
              tondo convert ada.jpg --size 48,96 --scale 1,2 --state normal,selected
                  eight pictures from one decode: avatars/ada-48@1x-normal.png ...

            PICTURES
              The centre square of each photo fills a circle that touches the edges of the canvas. Once a style has a \
            ring, the picture is fitted inside ring and gap, in both states alike, so that selecting a face never moves \
            or resizes it. Files that already hold the wanted picture are skipped; --force draws them again.

            ADDRESS BOOKS
              A vCard file, any other address book, or a folder that holds .vcf files gives a face for each contact, \
            named after the contact (equal names get -2, -3...) and cut as the book says. Who has no photo gets a silhouette; \
            photos on the net are failures: nothing is fetched. Pictures in such a folder are converted, too.

            CACHE
              With --cache (or --cache-dir), pictures that were drawn before, from a photo with the same bytes in the same \
            style, come out of the cache, whatever the photo is called now; a photo that failed is not tried again before \
            its bytes change. --force draws all the same. A cache that cannot be made, read or written costs only time: \
            convert warns and goes on without it. 'tondo cache' tells what is in it.

            PROGRESS
              A run of more than two seconds shows its progress on standard error: a bar on a terminal, plain lines \
            elsewhere. The first photo that finds the output folder full, read-only or forbidden is named; photos that \
            would go there, too, are not begun.

            EXIT STATUS
              0    all photos are done
              1    some failed, each named on standard error; the others are done
              64   wrong usage; nothing was written
              66   the cache's folder holds something else; nothing was written
              71   too few files may be open; nothing was written
              130  interrupted: photos begun were finished, the others left
              141  the reader of standard output went away
            """)

    @Argument(
        help: ArgumentHelp("Photos, address books, folders of either, or - for standard input.", valueName: "input"),
        completion: .file())
    var inputs: [String]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Folder, file (for one picture), or - for standard output.", valueName: "path"),
        completion: .file())
    var output = "avatars/"

    @Flag(name: .shortAndLong, help: "Look into sub-folders too, and keep their structure.")
    var recursive = false

    @OptionGroup(title: "Style")
    var style: StyleOptions

    @Flag(help: "Take pictures from the cache, and put into it what is drawn.")
    var cache = false

    @OptionGroup
    var location: CacheLocation

    @Option(
        help: ArgumentHelp(
            """
            Bytes beyond which the cache drops what was used least recently: 500MB, 2GiB \
            (default: \(Self.standardCacheSize.defaultValueDescription)).
            """, valueName: "bytes"))
    var cacheMaxSize: ByteCount?

    static let standardCacheSize = ByteCount(AvatarCache.defaultMaxSize)

    @Option(help: "Photos drawn at the same time (default: the cores).")
    var jobs: Int?

    @Option(help: ArgumentHelp("Memory one photo's decode may take.", valueName: "bytes"))
    var maxMemory = ByteCount(Limits().maxMemory)

    @Flag(name: .shortAndLong, help: "Draw pictures again that are there already.")
    var force = false

    @Flag(help: "One JSON object a line: a result for each photo, then the summary.")
    var json = false

    @Flag(name: .shortAndLong, help: "Print failures only.")
    var quiet = false

    @Option(help: "Show progress on standard error: auto, always or never.")
    var progress = ProgressMode.auto

    enum ProgressMode: String, ExpressibleByArgument, CaseIterable, Sendable { case auto, always, never }

    func validate() throws {
        guard !inputs.isEmpty else { throw ValidationError("Name at least one photo or folder.") }
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs \(jobs): 1...1024.") }
        if inputs.count(where: { $0 == "-" }) > 1 { throw ValidationError("Standard input can be read only once.") }
        if output == "-" && json { throw ValidationError("--json and --output - would share standard output.") }
        if output.isEmpty { throw ValidationError("--output needs a name.") }
        if cacheMaxSize != nil && !usesCache {
            throw ValidationError("--cache-max-size is for a cache: name --cache or --cache-dir, too.")
        }
        if inputs.contains("") { throw ValidationError("An input has no name: it is an empty text.") }
    }
}

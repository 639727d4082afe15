import ArgumentParser
import SystemPackage
import TondoAvatars
import TondoCache
import TondoContacts
import TondoImage

/// `tondo convert`: photos in, round avatars out.
struct Convert: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert", abstract: "Converts photos and address books to round avatars, PNG or WebP.",
        discussion: """
            EXAMPLES
              tondo convert ada.jpg                      avatars/ada.png, 96 x 96 pixels
              tondo convert photos --recursive -o out    a tree, with its folder structure
              tondo convert ~/.contacts -o out           one avatar per contact
              tondo convert - -o - < ada.jpg > ada.png   through pipes
              tondo convert --initials "Ada Okafor"      avatars/Ada Okafor.png: AO
              tondo convert ada.jpg --size 48,96 --scale 1,2 --state normal,selected
                  eight avatars from one decode: avatars/ada-48@1x-normal.png ...
              tondo convert photos --format webp         about a fifth of the bytes of PNG

            AVATARS
            The centre square of each photo fills a circle that touches the edges of the canvas. If a style has a ring, the \
            photo is fitted inside ring and gap in both states, so that selecting an avatar never moves or resizes it. Files \
            that already hold the requested avatar are skipped; --force draws them again. A file that Tondo did not make is not \
            replaced without --force: its photo counts as failed.

            FORMATS
            PNG keeps every pixel, and its bytes are the same everywhere. WebP keeps the edges exactly and the colours in \
            --quality; its bytes are the same for one version of libwebp. --output x.webp implies --format webp.

            ADDRESS BOOKS
            A vCard file, any other address book, or a folder that holds .vcf files gives one avatar per contact, named \
            after the contact (equal names get -2, -3...) and cropped as the book specifies. A contact without a photo gets its \
            initials, or a silhouette without a name. Photos at URLs are drawn if 'tondo sync' fetched them; else they are failures. \
            Photo files in such a folder are converted, too.

            CACHE
            With --cache (or --cache-dir), an avatar that was drawn before, from a photo with the same bytes in the same \
            style, comes from the cache, whatever the photo's name; a photo that failed is not retried before its bytes \
            change. --force draws in any case. If the cache cannot be created, read or written, convert warns and continues \
            without it. 'tondo cache' inspects the cache.

            PROGRESS
            A run of more than two seconds shows its progress on standard error: a bar on a terminal, plain lines \
            elsewhere. If the output folder is full, read-only or forbidden, the first photo that finds it is reported and \
            the remaining photos for that folder are not started.

            EXIT STATUS
              0    all photos are converted
              1    some failed, each reported on standard error; the others are converted
              64   wrong usage; nothing was written
              66   the cache folder holds other files; nothing was written
              69   no confined process for decoding could be started; nothing was written
              71   the limit of open files is too low; nothing was written
              74   standard output cannot be written
              78   --shared-avatars names an unsuitable Redis; nothing was written
              130  interrupted: photos in progress were finished, the others not started
              141  the reader of standard output closed it
            """)

    @Argument(
        help: ArgumentHelp("Photos, address books, folders of either, or - for standard input.", valueName: "input"),
        completion: .file())
    var inputs: [String] = []

    @Option(help: ArgumentHelp("A name whose initials are drawn; repeatable.", valueName: "name"))
    var initials: [String] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Folder, file (for one avatar), or - for standard output.", valueName: "path"),
        completion: .file())
    var output = "avatars/"

    @Flag(name: .shortAndLong, help: "Convert sub-folders too, and keep their structure.")
    var recursive = false

    @OptionGroup(title: "Style")
    var style: StyleOptions

    @Flag(help: "Take avatars from the cache, and store drawn ones in it.")
    var cache = false

    @OptionGroup
    var location: CacheLocation

    @Option(
        help: ArgumentHelp(
            """
            Size above which the cache evicts the least recently used entries: 500MB, 2GiB \
            (default: \(Self.standardCacheSize.defaultValueDescription)).
            """, valueName: "bytes"))
    var cacheMaxSize: ByteCount?

    static let standardCacheSize = ByteCount(AvatarCache.defaultMaxSize)

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
        help: ArgumentHelp("The rule for initials; off: contacts without a photo get a silhouette.", valueName: "rule"))
    var initialsRule = InitialsRule.tondo

    @Flag(name: .shortAndLong, help: "Draw avatars again that already exist, and replace files that are none.")
    var force = false

    @Flag(help: "Print one JSON object per line: a result for each photo, then the summary.")
    var json = false

    @Flag(help: "Write NAME.crop.png beside the avatars: the photo with its faces and the part that is shown.")
    var explainCrop = false

    @Flag(name: .shortAndLong, help: "Print failures only.")
    var quiet = false

    @Option(help: ArgumentHelp("When to show progress on standard error.", valueName: "when"))
    var progress = ProgressMode.auto

    func validate() throws {
        guard !inputs.isEmpty || !initials.isEmpty else { throw ValidationError("Name at least one photo or folder.") }
        for name in initials where initialsRule.letters(of: name) == nil {
            throw ValidationError("--initials \(name): no letter in it.")
        }
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs \(jobs): must be 1...1024.") }
        if inputs.count(where: { $0 == "-" }) > 1 { throw ValidationError("Standard input can be read only once.") }
        if output == "-" && json { throw ValidationError("--json and --output - would share standard output.") }
        if explainCrop && (output == "-" || inputs.contains("-")) {
            throw ValidationError("--explain-crop reads photos a second time and writes files: it takes no hyphen.")
        }
        if output.isEmpty { throw ValidationError("--output needs a name.") }
        if cacheMaxSize != nil && !usesCache { throw ValidationError("--cache-max-size needs --cache or --cache-dir.") }
        if let url = inputs.first(where: { $0.hasPrefix("http://") || $0.hasPrefix("https://") }) {
            throw ValidationError("\(url): URLs are not fetched; for one: curl -s URL | tondo convert - -o ada.png")
        }
        if inputs.contains("") { throw ValidationError("The name of an input is empty.") }
    }
}

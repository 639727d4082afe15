import ArgumentParser
import FoundationEssentials
import SystemPackage
import TondoAvatars
import TondoCache
import TondoConfiguration
import TondoContacts
import TondoFiles
import TondoImage
import TondoRender

/// `tondo cache why`
struct CacheWhy: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why", abstract: "Explains whether an avatar is a hit or a miss, and why.",
        discussion: """
            Give the same style options as for the avatar: sizes that are drawn together share one decode, and the decode is \
            part of the recipe. For each style the command prints the key, every part of the recipe, the file that would \
            hold the entry, and on a miss the most similar entry and its differences. Name a contact by a mail address, its \
            whole name or its id. Its photo is looked for in the books that --book names; without --book, an id is first \
            looked for in the cache, whose latest photo of it is used, and then all are in the books of the configuration. \
            Nothing is drawn and nothing is changed.

            EXAMPLES
              tondo cache why ada.jpg
              tondo cache why ada.jpg --size 48,96 --scale 2 --state normal,selected
              tondo cache why ada@example.org
              tondo cache why --book ~/.contacts 'Ada Lovelace' --state selected

            \(ExitStatusText.text([
                0: "every avatar is a hit, here or in the shared tier", 1: "an avatar is a miss, no such contact, or the photo cannot be read",
            ]))
            """)

    @Argument(
        help: ArgumentHelp("A photo, or a contact: a mail address, a whole name or an id.", valueName: "photo|contact"),
        completion: .file())
    var subject: String

    @OptionGroup(title: "Style")
    var style: StyleOptions

    @OptionGroup var location: CacheLocation

    @OptionGroup var books: BooksOption

    @Option(help: ArgumentHelp("The rule for the initials of contacts without a photo.", valueName: "rule"))
    var initials = InitialsRule.tondo

    @OptionGroup var sandbox: SandboxOption

    @OptionGroup var sync: SyncFolderOption

    @OptionGroup var shared: SharedOptions

    @Option(help: ArgumentHelp("Maximum memory for decoding one photo: 512MB, 1GiB.", valueName: "bytes"))
    var maxMemory = ByteCount(Limits().maxMemory)

    @Flag(help: "Print one JSON object per style.")
    var json = false

    @OptionGroup var color: ColorOption

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let path = arguments.path(subject)
        let cache = try location.open(&arguments)
        let explanations = try CacheFailure.reporting { try self.explanations(of: path, in: cache, &arguments) }
        for (number, explanation) in explanations.enumerated() {
            if json {
                try StandardOutput.write(
                    report: ExplanationReport(explanation: explanation, subject: subject, in: cache))
            } else {
                let text = ExplanationText(explanation: explanation, subject: subject, cache: cache, now: Date())
                    .text(width: StandardStreams.outputColumns, paint: color.paint)
                try StandardOutput.write(number > 0 ? "\n" + text : text)
            }
        }
        if !explanations.allSatisfy(\.verdict.isHit) { throw ExitCode(1) }
    }

    /// An existing file is a photo; any other word is a contact.
    private func explanations(
        of path: FilePath, in cache: AvatarCache, _ arguments: inout RawArguments
    ) throws -> [CacheExplainer.Explanation] {
        var limits = Limits()
        limits.maxMemory = maxMemory.bytes
        let faces = Sandbox.faceModel { ProcessInfo.processInfo.environment[$0] }
        if style.crop == .face { FaceModelWarning.explain(faces) }
        let explainer = CacheExplainer(
            cache: cache, shared: try shared.tier(jobs: 1), styles: style.styles, limits: limits,
            hasFaceModel: faces.path != nil)
        guard let status = FileStatus(path) else {
            if path.components.count > 1 || ConversionInput.isPhotoName(path) {
                Terminal.reportError("\(subject): no such photo")
                throw ExitCode(1)
            }
            return try contact(in: cache, limits: limits, explainer: explainer, &arguments)
                ?? explainer.explain(contact: subject)
        }
        if status.kind == .folder || ["vcf", "vcard"].contains(path.extension?.lowercased()) {
            let kind = status.kind == .folder ? "a folder" : "an address book"
            Terminal.reportError(
                "\(subject): is \(kind), not a photo; name a contact of a book: --book \(subject) CONTACT")
            throw ExitCode(1)
        }
        do { return try explainer.explain(photo: path) } catch let error as RenderError {
            Terminal.reportError("\(subject): \(error)")
        } catch let error as FileError {
            Terminal.reportError("\(subject): \(error)")
        }
        throw ExitCode(1)
    }
}

extension CacheWhy {
    /// For a contact in a book, found as by `tondo avatar`; nil if the cache knows the word, or no book is named.
    private func contact(
        in cache: AvatarCache, limits: Limits, explainer: CacheExplainer, _ arguments: inout RawArguments
    ) throws -> [CacheExplainer.Explanation]? {
        if books.book.isEmpty {
            if try explainer.isKnown(contact: subject) { return nil }
            if try Serve.configuration(ConfigurationSource(file: books.file.config)).servedBooks.isEmpty { return nil }
        }
        let read = try ReadBooks(books.paths(&arguments), fetched: sync.fetchedPhotos(&arguments))
        let (found, book) = try read.find(subject, prefersPhoto: true)
        let pipeline = try sandbox.pipeline(cache, initials: initials, limits: limits)
        do throws(AvatarFailure) {
            return try pipeline.explanations(of: found, in: book.photos, styles: pipeline.styles(style.styles))
        } catch {
            Terminal.reportError("\(found.displayName): \(error)")
            throw ExitCode(1)
        }
    }
}

extension CacheExplainer.Verdict {
    /// Nothing has to be drawn.
    var isHit: Bool {
        switch self {
        case .hit, .shared: true
        default: false
        }
    }
}

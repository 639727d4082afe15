import ArgumentParser
import FoundationEssentials
import SystemPackage
import TondoAvatars
import TondoCache
import TondoImage

/// `tondo cache why`
struct CacheWhy: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why", abstract: "Tells whether a face would come out of the cache, and if not, why.",
        discussion: """
            Give the style options that the face is wanted with: sizes that are drawn together come from one decode, so \
            they belong to the question. For each style it prints the key, every ingredient of it, the file that would \
            hold it, and on a miss the most similar entry and in what it differs. For a contact without its photo, the \
            photo that the cache saw last is taken. Nothing is drawn and nothing is changed.

            EXAMPLES
              tondo cache why ada.jpg
              tondo cache why ada.jpg --size 48,96 --scale 2 --state normal,selected
              tondo cache why ada --state selected --json

            \(ExitStatusText.text([
                0: "every face would come out of the cache", 1: "one would not, or the photo cannot be read",
            ]))
            """)

    @Argument(
        help: ArgumentHelp("A photo, or the name of a contact.", valueName: "photo|contact"), completion: .file())
    var subject: String

    @OptionGroup(title: "Style")
    var style: StyleOptions

    @OptionGroup var location: CacheLocation

    @Option(help: ArgumentHelp("Memory one photo's decode may take: 512MB, 1GiB.", valueName: "bytes"))
    var maxMemory = ByteCount(Limits().maxMemory)

    @Flag(help: "One JSON object a style.")
    var json = false

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let path = arguments.path(subject)
        let cache = try location.open(&arguments)
        let answers = try CacheFailure.telling { try self.answers(path, cache) }
        for (number, answer) in answers.enumerated() {
            if json {
                try StandardOutput.write(json: AnswerDocument(answer, subject: subject, in: cache))
            } else {
                let text = AnswerText(answer, subject: subject, cache: cache, now: Date())
                    .text(width: StandardStreams.outputColumns)
                try StandardOutput.write(number > 0 ? "\n" + text : text)
            }
        }
        if !answers.allSatisfy(\.verdict.isHit) { throw ExitCode(1) }
    }

    /// What is a file is a photo; anything else is a contact.
    private func answers(_ path: FilePath, _ cache: AvatarCache) throws -> [CacheInquiry.Answer] {
        var limits = Limits()
        limits.maxMemory = maxMemory.bytes
        let inquiry = CacheInquiry(cache, styles: style.styles, limits: limits)
        guard FileStatus(path) != nil else {
            if path.components.count > 1 || ConversionInput.isPictureName(path) {
                Terminal.complain("\(subject): there is no such photo")
                throw ExitCode(1)
            }
            return try inquiry.ask(contact: subject)
        }
        do { return try inquiry.ask(photo: path) } catch let error as RenderError {
            Terminal.complain("\(subject): \(error)")
        } catch let error as FileError {
            Terminal.complain("\(subject): \(error)")
        }
        throw ExitCode(1)
    }
}

extension CacheInquiry.Verdict {
    var isHit: Bool { if case .hit = self { true } else { false } }

    /// Stable, for scripts.
    var code: String {
        switch self {
        case .hit: "hit"
        case .damaged: "damaged"
        case .remembered: "remembered-failure"
        case .undrawable: "undrawable"
        case .miss: "miss"
        }
    }
}

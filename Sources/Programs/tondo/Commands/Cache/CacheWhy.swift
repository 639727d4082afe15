import ArgumentParser
import FoundationEssentials
import SystemPackage
import TondoAvatars
import TondoCache
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
            hold the entry, and on a miss the most similar entry and its differences. For a contact name without a photo, the \
            contact's latest photo in the cache is used. Nothing is drawn and nothing is changed.

            EXAMPLES
              tondo cache why ada.jpg
              tondo cache why ada.jpg --size 48,96 --scale 2 --state normal,selected
              tondo cache why ada --state selected --json

            \(ExitStatusText.text([
                0: "every avatar is a hit, here or in the shared tier", 1: "an avatar is a miss, or the photo cannot be read",
            ]))
            """)

    @Argument(
        help: ArgumentHelp("A photo, or the name of a contact.", valueName: "photo|contact"), completion: .file())
    var subject: String

    @OptionGroup(title: "Style")
    var style: StyleOptions

    @OptionGroup var location: CacheLocation

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
        let explanations = try CacheFailure.reporting { try self.explanations(of: path, in: cache) }
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
    private func explanations(of path: FilePath, in cache: AvatarCache) throws -> [CacheExplainer.Explanation] {
        var limits = Limits()
        limits.maxMemory = maxMemory.bytes
        let faces = Sandbox.faceModel { ProcessInfo.processInfo.environment[$0] }
        if style.crop == .face { FaceModelWarning.explain(faces) }
        let explainer = CacheExplainer(
            cache: cache, shared: try shared.tier(jobs: 1), styles: style.styles, limits: limits,
            hasFaceModel: faces.path != nil)
        guard FileStatus(path) != nil else {
            if path.components.count > 1 || ConversionInput.isPhotoName(path) {
                Terminal.reportError("\(subject): no such photo")
                throw ExitCode(1)
            }
            return try explainer.explain(contact: subject)
        }
        do { return try explainer.explain(photo: path) } catch let error as RenderError {
            Terminal.reportError("\(subject): \(error)")
        } catch let error as FileError {
            Terminal.reportError("\(subject): \(error)")
        }
        throw ExitCode(1)
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

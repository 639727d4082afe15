import ArgumentParser
import SystemPackage
import TondoAvatars
import TondoContacts
import TondoFiles
import TondoImage
import TondoJobs
import TondoText

/// `tondo thumbnail`: what file managers call by the entry `tondo.thumbnailer`.
struct Thumbnail: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thumbnail", abstract: "Draws the thumbnail of a vCard file, for file managers.",
        discussion: """
            EXAMPLES
              tondo thumbnail ada.vcf ada.png                128 x 128 pixels
              tondo thumbnail --size 256 file:///srv/contacts/ada.vcf ada.png

            Draws the avatar of the first contact in the file as a PNG with the attributes of the freedesktop thumbnail \
            specification: URI, time, size and type of the file. A contact without a usable photo gets its initials. If \
            nothing can be drawn, no file is written. No cache and no configuration are used, because file managers start \
            thumbnailers where there are none; photos that are files or URLs are then missing, too.

            \(ExitStatusText.lines([
                (0, "the thumbnail is written"), (1, "the file has no contact, or its avatar cannot be drawn"),
                (64, "wrong usage"), (ExitCode.bookUnreadable.rawValue, "the file cannot be read"),
                (69, "no confined process for decoding could be started"),
                (ExitCode.inputOutput.rawValue, "the thumbnail cannot be written"),
            ]))
            """)

    @Option(
        help: ArgumentHelp("Side in pixels, 1...1024: 128, 256, 512 or 1024 in the specification.", valueName: "pixels")
    )
    var size = 128

    @Argument(help: ArgumentHelp("A vCard file, or its file: URI.", valueName: "input"), completion: .file())
    var input: String

    @Argument(help: ArgumentHelp("The PNG file, whatever its name.", valueName: "output"), completion: .file())
    var output: String

    @OptionGroup var sandbox: SandboxOption

    func validate() throws {
        if !Style.sizes.contains(size) { throw ValidationError("--size \(size): must be 1...1024.") }
        if input.isEmpty || output.isEmpty { throw ValidationError("The name of a file is empty.") }
        if FileURI.isURI(input), FileURI.path(input) == nil {
            throw ValidationError("\(input): not the URI of a file on this machine.")
        }
    }

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let path = arguments.path(input)
        let target = arguments.path(output)
        guard let status = FileStatus(path) else {
            throw Self.ended("\(path): there is no such file", .bookUnreadable)
        }
        if status.kind != .regular { throw Self.ended("\(path): thumbnails are made of files", .bookUnreadable) }
        if FileIdentity(target) == status.identity { throw Self.ended("\(target): the input", .validationFailure) }
        let png = try draw(path)
        let attributes = [
            // A file manager compares its own URI with this one.
            ("Thumb::URI", FileURI.isURI(input) ? input : FileURI.text(path)),
            ("Thumb::MTime", "\(status.modified / 1_000_000_000)"),
            ("Thumb::Size", "\(status.size)"), ("Thumb::Mimetype", "text/vcard"),
            ("Software", "Tondo \(Tondo.version)"),
        ]
        let bytes = PNGEncoder.adding(text: attributes.map { (keyword: $0.0, value: $0.1) }, to: png)
        do {
            // It shows what may be no concern of other users.
            try AtomicFile.writeThrough(to: target) { _ = try $0.writeAll(bytes) }
        } catch { throw Self.ended("\(error)", .inputOutput) }
    }

    /// The avatar of the first contact, or the end of the command.
    private func draw(_ path: FilePath) throws -> [UInt8] {
        let read: ReadBook
        do { read = try ReadBook(path) } catch { throw Self.ended("\(path): \(error)", .bookUnreadable) }
        guard let contact = read.contents.contacts.first else {
            throw Self.ended("\(path): there is no contact in it", .failure)
        }
        let pipeline = try pipeline()
        do throws(AvatarFailure) {
            let made = try pipeline.avatars(of: contact, in: read.photos, styles: pipeline.styles([Style(size: size)]))
            if let problem = made.problem, problem != .noPhoto { Terminal.reportError("\(path): \(problem)") }
            if let bytes = made.avatars.first?.bytes, !bytes.isEmpty { return bytes }
        } catch { throw Self.ended("\(path): \(error)", .failure) }
        throw Self.ended("\(path): its avatar cannot be drawn", .failure)
    }

    private func pipeline() throws -> AvatarPipeline {
        var options = AvatarPipeline.Options()
        options.queue.workers = 1
        options.workers = try sandbox.workers(options.limits, slots: 1)
        options.faces = sandbox.faceDetector
        options.initials = InitialsRule.tondo.photos(by: options.workers) { InitialsOption.warn($0) }
        return AvatarPipeline(cache: nil, options)
    }

    private static func ended(_ reason: String, _ status: ExitCode) -> ExitCode {
        Terminal.reportError(reason)
        return status
    }
}

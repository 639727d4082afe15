import ArgumentParser
import TondoAvatars
import TondoContacts
import TondoImage
import TondoJobs
import TondoText

/// `tondo photos ls`
struct PhotosList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "Lists the photos of contacts, one per line.",
        discussion: """
            SIDES are width and height in pixels, upright. FROM says where the photo is: inline (in the book), file (which the \
            book names), remote (at a URL). A photo that cannot be read is reported on standard error; contacts without one \
            are counted there. --json prints an object per photo, with an error for one that cannot be read. --preview shows \
            the avatar of each above its line, on terminals that show images (kitty, iTerm2, WezTerm, Ghostty, Konsole).

            EXAMPLES
              tondo photos ls --over 1MB          of the books of the configuration
              tondo photos ls ~/.contacts
              tondo photos ls book.vcf --over 100kB --json
              tondo photos ls book.vcf --group Family --preview

            \(BooksArgument.statuses([
                0: "done, even if there was nothing to list",
                1: "some photos, contacts or files cannot be read, the others listed; no such group",
            ]))
            """)

    @OptionGroup var book: BooksArgument

    @OptionGroup var selection: SelectionOptions

    @Option(help: ArgumentHelp("Photos of more bytes than this.", valueName: "bytes"))
    var over: ByteCount?

    @OptionGroup var sync: SyncFolderOption

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @OptionGroup var color: ColorOption

    @Flag(help: "Show each avatar, on a terminal that shows images.")
    var preview = false

    @OptionGroup var sandbox: SandboxOption

    func validate() throws {
        if json, preview { throw ValidationError("--preview and --json cannot be combined.") }
    }

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let read = try book.read(&arguments, fetched: sync.fetchedPhotos(&arguments))
        let members = try selection.members(of: read)
        let pictures = preview ? try Pictures(sandbox) : nil
        var table = Self.table
        var tally = Tally()
        for member in members {
            let photos = read.book(of: member).photos
            guard let line = tally.count(member.contact, in: photos, over: over?.bytes) else { continue }
            if json {
                try StandardOutput.write(JSONLine.encode(line) + "\n")
            } else if let pictures {
                if line.isStored { try pictures.show(member.contact, in: photos) }
                try StandardOutput.write(Terminal.printable(line.text) + "\n")
            } else {
                table.add(line)
            }
        }
        if !json, pictures == nil, tally.shown > 0 {
            try StandardOutput.write(table, color.paint)
        }
        Terminal.write(tally.text)
        if tally.failed > 0 { throw ExitCode(1) }
        try read.checkWhole()
    }

    private static var table: Table {
        Table(columns: [
            .init(title: "NAME", isFlexible: true), .init(title: "SIDES", alignment: .right),
            .init(title: "BYTES", alignment: .right), .init(title: "FORMAT", dispensability: 3),
            .init(title: "FROM", dispensability: 2), .init(title: "ID", dispensability: 1),
        ])
    }

    /// Draws avatars on the terminal, one after the other.
    private struct Pictures {
        private static let style = Style(size: 96)
        private let images: PreviewProtocol
        private let pipeline: AvatarPipeline

        /// Nil, after saying why, where no pictures can be shown.
        init?(_ sandbox: SandboxOption) throws {
            guard let images = PreviewProtocol.ofTerminalOrReported() else { return nil }
            var options = AvatarPipeline.Options()
            options.queue.workers = 1
            options.workers = try sandbox.workers(options.limits, slots: 1)
            options.faces = sandbox.faceDetector
            self.images = images
            pipeline = AvatarPipeline(cache: nil, options)
        }

        /// A photo that cannot be drawn is reported, and has no picture.
        func show(_ contact: Contact, in photos: BookPhotos) throws {
            var bytes: [UInt8] = []
            do throws(AvatarFailure) {
                let made = try pipeline.avatars(of: contact, in: photos, styles: pipeline.styles([Pictures.style]))
                if let problem = made.problem { Terminal.reportError("\(contact.displayName): \(problem)") }
                bytes = made.avatars.first?.bytes ?? []
            } catch { Terminal.reportError("\(contact.displayName): \(error)") }
            guard !bytes.isEmpty, let codes = try? images.encode(bytes) else { return }
            try StandardOutput.write(codes + Array("\n".utf8))
        }
    }

    /// How many there were of each kind, and their bytes.
    private struct Tally {
        private(set) var shown = 0
        private(set) var failed = 0
        private var bytes = 0
        private var without = 0

        /// Nil: the contact has no photo, or it is not listed.
        mutating func count(_ contact: Contact, in photos: BookPhotos, over least: Int?) -> PhotoLine? {
            do {
                guard let photo = try StoredPhoto(of: contact, in: photos) else {
                    without += 1
                    return nil
                }
                if let least, photo.byteCount <= least { return nil }
                shown += 1
                bytes += photo.byteCount
                return PhotoLine(contact, photo: photo)
            } catch let problem as PhotoProblem where problem.isUnfetched {
                // As the book has it: nothing is wrong with the photo.
                guard least == nil else { return nil }
                shown += 1
                return PhotoLine(contact, photo: nil)
            } catch {
                failed += 1
                Terminal.reportError("\(contact.displayName): \(error)")
                return PhotoLine(contact, error: error)
            }
        }

        var text: String {
            let rest = without == 0 ? "" : "; \(Quantities.counted(without, of: "contact")) without one"
            let bad = failed == 0 ? "" : ", \(Quantities.count(failed)) of them cannot be read"
            return "\(Quantities.counted(shown + failed, of: "photo"))\(bad), \(ByteAmount.text(bytes))\(rest)\n"
        }
    }
}

/// A photo as it is listed.
struct PhotoLine: Encodable {
    struct Failure: Encodable {
        let reason: String

        init(_ error: any Error) { reason = "\(error)" }
    }

    private let id: String
    private let name: String
    private let from: String
    private var format: String?
    private var width: Int?
    private var height: Int?
    private var bytes: Int?
    private var error: Failure?

    /// `photo`: nil for one at a URL that was not fetched.
    init(_ contact: Contact, photo: StoredPhoto?) {
        id = contact.id
        name = contact.displayName
        from = ContactText.photoKind(contact.photo)
        guard let photo else { return }
        format = photo.geometry.format.rawValue
        width = photo.geometry.orientedSize.width
        height = photo.geometry.orientedSize.height
        bytes = photo.byteCount
    }

    init(_ contact: Contact, error: any Error) {
        self.init(contact, photo: nil)
        self.error = Failure(error)
    }

    /// It is here, and its header can be read.
    fileprivate var isStored: Bool { bytes != nil }

    /// The cells of a line, with their separator.
    fileprivate var text: String { cells.joined(separator: "  ") }

    /// NAME, SIDES, BYTES, FORMAT, FROM, ID.
    fileprivate var cells: [String] {
        let sides = if let width, let height { "\(width) x \(height)" } else { "-" }
        return [
            name, sides, bytes.map { ByteAmount.text($0) } ?? "-", error == nil ? format ?? "-" : "unreadable", from,
            id,
        ]
    }
}

extension Table {
    fileprivate mutating func add(_ line: PhotoLine) { add(line.cells) }
}

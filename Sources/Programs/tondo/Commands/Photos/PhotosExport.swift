import ArgumentParser
import Glibc
import SystemPackage
import TondoAvatars
import TondoContacts
import TondoFiles

/// `tondo photos export`
struct PhotosExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes the photos of contacts into a folder, byte for byte.",
        discussion: """
            Each file is named as its contact is, with the extension of its format; the second contact with a name gets -2. \
            Names are those of 'tondo convert BOOK'. Photos keep everything that is in them, also places and devices. Files are \
            readable by their owner only (mode 0600). A file that is there with other content stays and is reported, unless \
            --force replaces it; files of the book are never replaced.

            --json prints an object per photo: id, name, path, and whether it was written, or an error.

            EXAMPLES
              tondo photos export -o originals    of the books of the configuration
              tondo photos export ~/.contacts -o originals
              tondo photos export book.vcf -o photos --group Friends --force

            \(BooksArgument.statuses([
                0: "done: each photo is there",
                1: "some photos were not written, or parts of the book cannot be read, each reported; no such group",
                130: "interrupted",
            ]))
            """)

    @OptionGroup var book: BooksArgument

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The folder for the photos; it is made if need be.", valueName: "folder"),
        completion: .directory)
    var output: String

    @Flag(help: "Replace files of other content.")
    var force = false

    @OptionGroup var selection: SelectionOptions

    @OptionGroup var sync: SyncFolderOption

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func validate() throws {
        if output.isEmpty { throw ValidationError("--output needs a name.") }
    }

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let paths = try book.paths(&arguments)
        let folder = arguments.path(output)
        let read = try ReadBooks(paths, fetched: sync.fetchedPhotos(&arguments))
        let members = try selection.members(of: read).filter { $0.contact.photo != nil }
        try Self.make(folder)
        let interrupts = Interrupts.quitting()
        defer { interrupts.end() }
        let export = PhotoExport(read.books, to: folder, replaces: force)
        var tally = Tally()
        for member in members {
            let line = Self.write(member, of: read, by: export)
            if json { try StandardOutput.write(JSONLine.encode(line) + "\n") }
            if let problem = line.error { Terminal.reportError("\(member.contact.displayName): \(problem.reason)") }
            tally.count(line)
        }
        Terminal.write(tally.text)
        if tally.failed > 0 { throw ExitCode(1) }
        try read.checkWhole()
    }

    private static func make(_ folder: FilePath) throws {
        do { try Folder.make(folder) } catch {
            Terminal.reportError("\(folder): cannot be made: \(error.reason)")
            throw ExitCode.inputOutput
        }
    }

    private struct Tally {
        private(set) var failed = 0
        private var written = 0
        private var there = 0

        mutating func count(_ line: ExportedPhotoLine) {
            if line.error != nil { failed += 1 } else if line.written == true { written += 1 } else { there += 1 }
        }

        var text: String {
            let rest = there == 0 ? "" : ", \(Quantities.count(there)) there already"
            let bad = failed == 0 ? "" : ", \(Quantities.count(failed)) failed"
            return "\(Quantities.counted(written, of: "photo")) written\(rest)\(bad)\n"
        }
    }

    private static func write(
        _ member: ReadBooks.Member, of read: ReadBooks, by export: PhotoExport
    ) -> ExportedPhotoLine {
        let contact = member.contact
        var line = ExportedPhotoLine(id: contact.id, name: contact.displayName)
        do {
            guard let photo = try StoredPhoto(of: contact, in: read.book(of: member).photos) else { return line }
            let path = export.path(of: photo, of: contact, inBook: member.number)
            line.path = path.string
            line.written = try export.write(photo, to: path) == .written
        } catch { line.error = PhotoLine.Failure(error) }
        return line
    }
}

/// What became of a photo.
private struct ExportedPhotoLine: Encodable {
    let id: String
    let name: String
    var path: String?
    var written: Bool?
    var error: PhotoLine.Failure?
}

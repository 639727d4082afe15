import ArgumentParser
import FoundationEssentials
import SystemPackage
import TondoAvatars
import TondoContacts
import TondoFiles
import TondoImage
import TondoRender

/// `tondo photos set`
struct PhotosSet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Stores a photo in a contact.",
        discussion: """
            FILE is a JPEG, PNG, WebP, GIF, HEIC or AVIF file, or - for standard input. What cameras and programs write \
            beside the picture is left out: places, devices, thumbnails, comments, profiles. A JPEG or PNG that is upright, in \
            sRGB and within --max-side and --max-bytes is stored otherwise byte for byte. Any other photo is drawn again by a \
            confined process: as the best JPEG that fits, or as a PNG if it is transparent and fits; else on white.

            Only the photo's lines of the card change, and REV if the card has it. A card with several photos has one \
            afterwards; a LOGO stays. The card of before is kept in the trash, synced to the disk: \
            'tondo contacts restore' brings it back, byte for byte, one change after the other. The file stays unchanged if \
            another program is changing it, or has changed the contact. Books of other formats than vCard store no photos, and \
            books that 'tondo sync' fetches are refused, unless they are 'writable'.

            EXAMPLES
              tondo photos set ~/.contacts 'Ada Lovelace' ada.jpg
              tondo photos set book.vcf ada ada.jpg --crop face
              tondo photos set book.vcf ada ada.jpg --crop 120,40,300,300
              tondo photos set book.vcf ada ada.heic --max-side 512 --max-bytes 50kB
              tondo photos set book.vcf ada - < ada.webp
              tondo contacts restore book.vcf ada    undo the last change

            \(BookArgument.statuses([
                0: "the contact has this photo", 1: "no such contact, or the photo was refused; nothing was changed",
            ]))
            """)

    @OptionGroup var book: BookArgument

    @Argument(help: ArgumentHelp("An id, a whole name or e-mail address.", valueName: "id|name"))
    var contact: String

    @Argument(help: ArgumentHelp("The photo, or - for standard input.", valueName: "file"), completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp(
            """
            Show this part, and store all of the photo: the square around the face, the centre square, or pixels of FILE \
            from its left and upper edge, width and height (default: all).
            """, valueName: "face|centre|x,y,width,height"))
    var crop: PhotoPart?

    @OptionGroup var bounds: PhotoBoundsOptions

    @OptionGroup var sandbox: SandboxOption

    @OptionGroup var location: TrashLocation

    @OptionGroup var change: PhotoChangeOptions

    func validate() throws {
        if file.isEmpty { throw ValidationError("The name of the photo is empty.") }
    }

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let path = arguments.path(book.book)
        let fitted = try storable(arguments.path(file))
        let trash = try location.trash(&arguments)
        let read = try BookArgument.read(path, trash: trash)
        let found = try ContactLookup(contact, in: read.contents.contacts).required(contact)
        // One file: it is changed, or not.
        let interrupts = Interrupts(raising: SharedFlag())
        defer { interrupts.end() }
        let outcome = BookChange(read.book, read.contents, trash: trash).setPhoto(
            fitted.photo, crop: fitted.crop, of: found, now: Int(Date().timeIntervalSince1970), isTrial: change.dryRun)
        try change.report(outcome, photo: fitted.photo)
    }

    /// The photo of a file as it is stored, with the part to show, or the end of the command with the reason.
    private func storable(_ path: FilePath) throws -> FittedPhoto {
        let limits = Limits()
        let fitting = PhotoFitting(within: bounds.bounds, limits: limits)
        var started: RenderWorkers??
        func workers() throws -> RenderWorkers? {
            let found = try started ?? sandbox.workers(limits, slots: 1)
            started = .some(found)
            return found
        }
        do {
            let file =
                path == "-"
                ? try PhotoFile.standardInput(limit: limits.maxMemory)
                : try .open(path, limit: limits.maxMemory)
            let fitted = try fitting.photo(file, showing: crop, faces: sandbox.faceDetector, by: workers)
            // A photo that nothing can show does not take the place of one that is shown.
            try fitting.check(fitted, by: workers)
            return fitted
        } catch let outside as PhotoPart.Outside {
            Terminal.reportError("--crop: \(outside)")
            throw ExitCode.validationFailure
        } catch let status as ExitCode { throw status } catch {
            Terminal.reportError("\(path == "-" ? "standard input" : path.string): \(error)")
            throw error is FileError ? ExitCode.inputOutput : ExitCode(1)
        }
    }
}

extension PhotoPart: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }

    static var allValueStrings: [String] { words }
    static var defaultCompletionKind: CompletionKind { .list(words) }
}

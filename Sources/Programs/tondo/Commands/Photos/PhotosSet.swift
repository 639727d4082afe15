import ArgumentParser
import FoundationEssentials
import SystemPackage
import TondoAvatars
import TondoContacts
import TondoFiles
import TondoImage
import TondoText

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
            books that 'tondo sync' fetches are refused.

            EXAMPLES
              tondo photos set ~/.contacts 'Ada Lovelace' ada.jpg
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
            Show this part, and store all of the photo: pixels of FILE from its left and upper edge, width and height \
            (default: all).
            """, valueName: "x,y,width,height"))
    var crop: CropWord?

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
        let (photo, size) = try storable(arguments.path(file))
        let crop = try crop.map { try $0.crop(of: size, in: photo) }
        let trash = try location.trash(&arguments)
        let read = try BookArgument.read(path, trash: trash)
        let found = try ContactLookup(contact, in: read.contents.contacts).required(contact)
        let outcome = BookChange(read.book, read.contents, trash: trash).setPhoto(
            photo, crop: crop, of: found, now: Int(Date().timeIntervalSince1970), isTrial: change.dryRun)
        try change.report(outcome, photo: photo)
    }

    /// The photo of a file as it is stored, and the size of the upright original, or the end of the command with the reason.
    private func storable(_ path: FilePath) throws -> (StorablePhoto, size: (width: Int, height: Int)) {
        let limits = Limits()
        let fitting = PhotoFitting(within: bounds.bounds, limits: limits)
        do {
            let file =
                path == "-"
                ? try PhotoFile.standardInput(limit: limits.maxMemory)
                : try .open(path, limit: limits.maxMemory)
            let size = try withExtendedLifetime(file) { try PhotoGeometry(probing: file.bytes).orientedSize }
            return (try fitting.photo(file) { try sandbox.workers(limits, slots: 1) }, size)
        } catch let status as ExitCode { throw status } catch {
            Terminal.reportError("\(path == "-" ? "standard input" : path.string): \(error)")
            throw error is FileError ? ExitCode.inputOutput : ExitCode(1)
        }
    }
}

/// A part of a photo: `X,Y,WIDTH,HEIGHT`, from the left and the upper edge.
struct CropWord: ExpressibleByArgument {
    private let numbers: [Int]
    private let text: String

    init?(argument: String) {
        text = argument
        numbers = argument.split(separator: ",", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard numbers.count == 4, argument.count(where: { $0 == "," }) == 3, numbers[2] > 0, numbers[3] > 0 else {
            return nil
        }
    }

    /// As books have it: in pixels of the stored photo, counted from the bottom. `size`: of the original, in which the part is
    /// stated. Ends the command for one that is not in the photo.
    func crop(of size: (width: Int, height: Int), in photo: StorablePhoto) throws -> PhotoCrop {
        let (x, y, width, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
        guard x >= 0, y >= 0, width <= size.width, height <= size.height, x <= size.width - width,
            y <= size.height - height
        else {
            Terminal.reportError("--crop \(text): is not in the photo, which has \(size.width) x \(size.height) pixels")
            throw ExitCode.validationFailure
        }
        let stored = photo.geometry.orientedSize
        func scaled(_ length: Int) -> Int { (length * stored.width + size.width / 2) / size.width }
        let side = (width: max(scaled(width), 1), height: max(scaled(height), 1))
        return PhotoCrop(
            x: scaled(x), y: max(stored.height - scaled(y) - side.height, 0), width: side.width, height: side.height)
    }
}

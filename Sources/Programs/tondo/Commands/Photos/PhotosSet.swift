import ArgumentParser
import FoundationEssentials
import SystemPackage
import TondoAvatars
import TondoContacts
import TondoImage
import TondoText

/// `tondo photos set`
struct PhotosSet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Stores a photo in a contact.",
        discussion: """
            FILE is a JPEG or PNG, or - for standard input. What cameras and programs write beside the picture is left out: \
            places, devices, thumbnails, comments, profiles. The picture itself is stored byte for byte, so it has to be upright, \
            in sRGB and within --max-side and --max-bytes; another one is refused with the reason.

            Only the photo's lines of the card change, and REV if the card has it. A card with several photos has one \
            afterwards; a LOGO stays. The card of before is kept in the trash, synced to the disk: \
            'tondo contacts restore' brings it back, byte for byte, one change after the other. The file stays unchanged if \
            another program is changing it, or has changed the contact. Books of other formats than vCard store no photos, and \
            books that 'tondo sync' fetches are refused.

            EXAMPLES
              tondo photos set ~/.contacts 'Ada Lovelace' ada.jpg
              tondo photos set book.vcf ada ada.jpg --crop 120,40,300,300
              convert ada.webp jpg:- | tondo photos set book.vcf ada -
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
            Show this part, and store all of the photo: pixels from its left and upper edge, width and height (default: all).
            """, valueName: "x,y,width,height"))
    var crop: CropWord?

    @Option(help: ArgumentHelp("Pixels that the longer side may have.", valueName: "pixels"))
    var maxSide = 720

    @Option(help: ArgumentHelp("Bytes that the photo may have.", valueName: "size"))
    var maxBytes = ByteCount(100_000)

    @OptionGroup var location: TrashLocation

    @OptionGroup var change: PhotoChangeOptions

    func validate() throws {
        if file.isEmpty { throw ValidationError("The name of the photo is empty.") }
        if maxSide < 1 { throw ValidationError("--max-side \(maxSide): must be 1 or more.") }
    }

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let path = arguments.path(book.book)
        let photo = try storable(arguments.path(file))
        let crop = try crop.map { try $0.crop(of: photo) }
        let trash = try location.trash(&arguments)
        let read = try BookArgument.read(path, trash: trash)
        let found = try ContactLookup(contact, in: read.contents.contacts).required(contact)
        let outcome = BookChange(read.book, read.contents, trash: trash).setPhoto(
            photo, crop: crop, of: found, now: Int(Date().timeIntervalSince1970), isTrial: change.dryRun)
        try change.report(outcome, photo: photo)
    }

    /// The photo of a file as it can be stored, or the end of the command with the reason.
    private func storable(_ path: FilePath) throws -> StorablePhoto {
        let limit = Limits().maxMemory
        let name = path == "-" ? "standard input" : path.string
        let bounds = StorablePhoto.Bounds(maxSide: maxSide, maxBytes: maxBytes.bytes)
        do {
            let file = path == "-" ? try PhotoFile.standardInput(limit: limit) : try .open(path, limit: limit)
            return try withExtendedLifetime(file) { try StorablePhoto(plain: file.bytes, within: bounds) }
        } catch {
            Terminal.reportError("\(name): \(error)")
            throw error is StorablePhoto.Obstacle || error is RenderError ? ExitCode(1) : ExitCode.inputOutput
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

    /// As books have it, counted from the bottom. Ends the command for one that is not in the photo.
    func crop(of photo: StorablePhoto) throws -> PhotoCrop {
        let size = photo.geometry.orientedSize
        let (x, y, width, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
        guard x >= 0, y >= 0, width <= size.width, height <= size.height, x <= size.width - width,
            y <= size.height - height
        else {
            Terminal.reportError("--crop \(text): is not in the photo, which has \(size.width) x \(size.height) pixels")
            throw ExitCode.validationFailure
        }
        return PhotoCrop(x: x, y: size.height - y - height, width: width, height: height)
    }
}

import ArgumentParser
import FoundationEssentials
import TondoAvatars
import TondoContacts

/// `tondo photos remove`
struct PhotosRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes the photo of a contact.",
        discussion: """
            Only the photo's lines of the card are removed, and REV is set if the card has it. A file that the card names \
            stays, and so does a LOGO. The card of before is kept in the trash: 'tondo contacts restore' brings the photo \
            back. The guarantees are those of 'tondo photos set'.

            EXAMPLES
              tondo photos remove ~/.contacts 'Ada Lovelace'
              tondo photos remove book.vcf ada --dry-run

            \(BookArgument.statuses([
                0: "the contact has no photo", 1: "no such contact, or the removal was refused; nothing was changed",
            ]))
            """)

    @OptionGroup var book: BookArgument

    @Argument(help: ArgumentHelp("An id, a whole name or e-mail address.", valueName: "id|name"))
    var contact: String

    @OptionGroup var location: TrashLocation

    @OptionGroup var change: PhotoChangeOptions

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let path = arguments.path(book.book)
        let trash = try location.trash(&arguments)
        let read = try BookArgument.read(path, trash: trash)
        let found = try ContactLookup(contact, in: read.contents.contacts).required(contact)
        // One file: it is changed, or not.
        let interrupts = Interrupts(raising: SharedFlag())
        defer { interrupts.end() }
        let outcome = BookChange(read.book, read.contents, trash: trash).setPhoto(
            nil, of: found, now: Int(Date().timeIntervalSince1970), isTrial: change.dryRun)
        try change.report(outcome, photo: nil)
    }
}

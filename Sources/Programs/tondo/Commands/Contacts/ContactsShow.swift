import ArgumentParser
import TondoAvatars
import TondoContacts

/// `tondo contacts show`
struct ContactsShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows all details of one contact.",
        discussion: """
            Name the contact by its id, its whole name or a whole e-mail address. Any other word shows no contact, but \
            lists those that have it in their names, organisations, numbers or addresses. --json prints the contact in \
            Tondo's schema, with the bytes of its photo.

            EXAMPLES
              tondo contacts show book.vcf 'Ada Lovelace'
              tondo contacts show ~/.contacts ada@example.org --json

            \(BookArgument.statuses([0: "done", 1: "no such contact, an ambiguous name, or an unreadable photo"]))
            """)

    @OptionGroup var book: BookArgument

    @Argument(help: ArgumentHelp("An id, a whole name or e-mail address.", valueName: "id|name"))
    var contact: String

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let read = try book.read(&arguments)
        let found = try ContactLookup(contact, in: read.contents.contacts).required(contact)
        guard json else {
            let text = ContactBlock(found, in: read).text(width: StandardStreams.outputColumns)
            return try StandardOutput.write(text)
        }
        var hasFailed = false
        let line = BookExport(read).line(of: found) { problem in
            Terminal.reportError("\(found.displayName): \(problem)")
            hasFailed = true
        }
        try StandardOutput.write(line + [0x0A])
        if hasFailed { throw ExitCode(1) }
    }
}

extension ContactLookup {
    /// The one contact, or the end of the command with a list of candidates.
    func required(_ word: String) throws -> Contact {
        switch self {
        case .one(let contact): return contact
        case .several(let contacts):
            Candidates.reportError(
                "\(word): several contacts", candidates: contacts.map(Candidates.text), introduction: "use an id")
        case .none(let candidates) where candidates.isEmpty:
            Terminal.reportError("\(word): no such contact; 'tondo contacts ls' lists all")
        case .none(let candidates):
            Candidates.reportError(
                "\(word): no such contact", candidates: candidates.map(Candidates.text), introduction: "could be")
        }
        throw ExitCode(1)
    }
}

import ArgumentParser
import TondoAvatars
import TondoContacts

/// `tondo contacts show`
struct ContactsShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows all details of one contact.",
        usage: "tondo contacts show [<book>] <id|name> [--config <file>] [--json]",
        discussion: """
            Name the contact by its id, its whole name, a whole e-mail address or phone number. Any other word shows no contact, but \
            lists those that have it in their names, organisations, numbers or addresses. --json prints the contact in \
            Tondo's schema, with the bytes of its photo. Without a book, the first of the configuration's that has the \
            contact decides.

            EXAMPLES
              tondo contacts show 'Ada Lovelace'
              tondo contacts show book.vcf 'Ada Lovelace'
              tondo contacts show ~/.contacts ada@example.org --json

            \(BooksArgument.statuses([0: "done", 1: "no such contact, an ambiguous name, or an unreadable photo"]))
            """)

    @Argument(
        help: ArgumentHelp(
            """
            The book (default: the books of the configuration, with those of 'tondo sync'), then an id, a whole name or \
            e-mail address.
            """, valueName: "book|id"), completion: .file())
    var words: [String]

    @OptionGroup var file: SettingsFileOption

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        if words.count > 2 { throw ValidationError("Too many names: \(words.count); one with blanks needs quotes.") }
        if words.count == 2, words[0].isEmpty { throw ValidationError("The name of the book is empty.") }
    }

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let book = words.count > 1 ? words[0] : nil
        let read = try ReadBooks(file.books(named: book, &arguments))
        let (found, origin) = try read.find(words[words.count - 1])
        guard json else {
            let text = ContactBlock(found, in: origin).text(width: StandardStreams.outputColumns)
            return try StandardOutput.write(text)
        }
        var hasFailed = false
        let line = BookExport.line(of: found, in: origin) { problem in
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

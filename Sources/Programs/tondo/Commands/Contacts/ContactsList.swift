import ArgumentParser
import TondoAvatars
import TondoContacts

/// `tondo contacts ls`
struct ContactsList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "Lists contacts, one per line.",
        discussion: """
            A contact is listed if it meets all conditions. VIA shows messengers by a letter: T(elegram), W(hatsApp), V(iber), \
            S(ignal), 3 (Threema). On a narrow terminal some columns are left out and long names are shortened, ids never; \
            in a pipe the output is complete, with tabs between the columns. Broken contacts are reported on standard error as FILE:LINE and skipped. \
            --json prints each contact in Tondo's schema, with true or false for its photo.

            EXAMPLES
              tondo contacts ls --search ada      in the books of the configuration
              tondo contacts ls ~/.contacts --filter telegram,email --sort family-desc
              tondo contacts ls book.vcf --search 'ada example.org'
              tondo contacts ls book.csv --group Friends --json

            \(BooksArgument.statuses([
                0: "done, even if there was nothing to list",
                1: "some contacts or files are broken, the others listed; no such group",
            ]))
            """)

    @OptionGroup var book: BooksArgument

    @OptionGroup var selection: SelectionOptions

    @Option(help: ArgumentHelp("Maximum number of contacts; 0 lists all.", valueName: "count"))
    var limit = 0

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @OptionGroup var color: ColorOption

    func validate() throws {
        if limit < 0 { throw ValidationError("--limit \(limit): must be 0 or more.") }
    }

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let read = try book.read(&arguments)
        let contacts = try selection.contacts(of: read)
        let shown = limit > 0 ? contacts.prefix(limit) : contacts[...]
        if json {
            var headlines = selection.headlines
            try StandardOutput.write(lines: shown) { contact, json in
                let headline = headlines.headline(of: contact)
                TondoSchema.addListed(PackedContact(contact), headline: headline, to: &json)
            }
        } else if shown.isEmpty {
            Terminal.write("no contacts\n")
        } else {
            try StandardOutput.write(Self.table(of: shown), color.paint)
        }
        if shown.count < contacts.count {
            Terminal.write("\(Quantities.count(contacts.count - shown.count)) more; --limit 0 lists all\n")
        }
        try read.checkWhole()
    }

    static func table(of contacts: ArraySlice<Contact>) -> Table {
        var table = Table(columns: [
            .init(title: "NAME", isFlexible: true),
            .init(title: "ORGANISATION", isFlexible: true, dispensability: 4), .init(title: "PHONE"),
            .init(title: "EMAIL", isFlexible: true, dispensability: 1), .init(title: "VIA", dispensability: 3),
            .init(title: "GROUPS", isFlexible: true, dispensability: 5), .init(title: "PHOTO", dispensability: 6),
            .init(title: "ID", dispensability: 2),
        ])
        for contact in contacts {
            table.add([
                contact.displayName.withoutLineEnds, contact.firstUnit ?? "",
                contact.phones.first.map { PhoneMask.masked($0.value) } ?? "", contact.emails.first?.value ?? "",
                ContactText.initials(contact), contact.groups.map(\.name).joined(separator: ", "),
                ContactText.photoKind(contact.photo), contact.id,
            ])
        }
        return table
    }
}

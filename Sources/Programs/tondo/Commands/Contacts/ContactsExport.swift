import ArgumentParser
import SystemPackage
import TondoAvatars
import TondoContacts
import TondoFiles

/// `tondo contacts export`
struct ContactsExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes contacts as one file: JSON in Tondo's schema, or vCards.",
        discussion: """
            The file holds all data of the contacts. It is an address book itself: reading it back loses nothing. It is \
            replaced atomically, is readable by its owner only (mode 0600), and is never a file of the book itself.

            JSON holds what a vCard has beside Tondo's fields in a list of properties. Photos are base64, including those \
            that the book references as files of its folder; remote photos stay addresses.

            vCards keep all properties and parameters as they came, in UTF-8; a photo that a card names as a file keeps its \
            name. Contacts from other formats are written as vCard 4.0. Cards of groups are written if all contacts are; else \
            standard error names them. The name of the file decides: .vcf and .vcard are \
            vCards, all others JSON.

            EXAMPLES
              tondo contacts export -o contacts.json   the books of the configuration
              tondo contacts export ~/.contacts -o contacts.vcf
              tondo contacts export book.vcf --group Friends --sort given > friends.json
              tondo contacts export contacts.json -o contacts.vcf

            \(BooksArgument.statuses([
                0: "done", 1: "broken contacts, photos or properties were left out, each reported", 130: "interrupted",
            ]))
            """)

    @OptionGroup var book: BooksArgument

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The output file (default: standard output).", valueName: "file"),
        completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "json or vcard (default: by the name of the output file, else json).", valueName: "format"))
    var format: BookExport.Format?

    @OptionGroup var selection: SelectionOptions

    func validate() throws {
        if output == "" { throw ValidationError("--output needs a name.") }
    }

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let path = output.flatMap { $0 == "-" ? nil : arguments.path($0) }
        let read = try book.read(&arguments)
        let contacts = try selection.members(of: read).map { ($0.contact, $0.number) }
        let export = BookExport(read.books, as: format ?? Self.format(of: path))
        if let path, export.isSource(path) {
            Terminal.reportError("\(path): is a file of the address book and would be overwritten")
            throw ExitCode.validationFailure
        }
        if let path, export.wouldBeRead(path) {
            Terminal.reportError("\(path): would be a file of the address book, which would have each contact twice")
            throw ExitCode.validationFailure
        }
        var failed = 0
        func write(_ body: ([UInt8]) throws -> Void) throws {
            try export.write(contacts, groups: groups(of: read)) { contact, problem in
                Terminal.reportError("\(contact.displayName): \(problem)")
                failed += 1
            } body: {
                try body($0)
            }
        }
        reportGroups(export.groupsLeftOut(withAllContacts: groups(of: read) != nil))
        guard let path else {
            try write(StandardOutput.write)
            if failed > 0 { throw ExitCode(1) }
            return try read.checkWhole()
        }
        let interrupts = Interrupts.quitting()
        defer { interrupts.end() }
        do {
            try AtomicFile.writeThrough(to: path) { file in
                try write { _ = try file.writeAll($0) }
            }
        } catch let error as FileError {
            Terminal.reportError("\(error)")
            throw ExitCode.inputOutput
        }
        Terminal.write("\(Quantities.counted(contacts.count, of: "contact")) exported\n")
        if failed > 0 { throw ExitCode(1) }
        try read.checkWhole()
    }

    /// Groups are no contacts, so that the status is that of a whole export.
    private func reportGroups(_ groups: [Contact]) {
        if groups.isEmpty { return }
        let names = groups.prefix(10).map(\.displayName) + (groups.count > 10 ? ["..."] : [])
        let count = Quantities.counted(groups.count, of: "group")
        Terminal.reportError("\(count) left out, since not all contacts are exported: \(names.joined(separator: ", "))")
    }

    /// Empty groups are included only if all contacts are exported.
    private func groups(of read: ReadBooks) -> [ContactGroup]? {
        let isWhole = selection.filter == nil && selection.search == nil && selection.group == nil
        if !isWhole { return nil }
        var seen: Set<String> = []
        return read.books.flatMap(\.contents.groups).filter { seen.insert($0.id).inserted }
    }

    private static func format(of path: FilePath?) -> BookExport.Format {
        ["vcf", "vcard"].contains(path?.extension?.lowercased()) ? .vcard : .json
    }
}

extension BookExport.Format: WordArgument {}

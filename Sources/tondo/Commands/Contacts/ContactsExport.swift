import ArgumentParser
import SystemPackage
import TondoAvatars
import TondoContacts
import TondoFiles

/// `tondo contacts export`
struct ContactsExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes contacts as one JSON file, in Tondo's schema.",
        discussion: """
            The file holds all data of the contacts. Photos are base64, including those that the book references as files of \
            its folder; remote photos stay addresses. The file is an address book itself: reading it back loses nothing. It \
            is replaced atomically, is readable by its owner only (mode 0600), and never replaces the book itself.

            EXAMPLES
              tondo contacts export ~/.contacts -o contacts.json
              tondo contacts export book.vcf --group Friends --sort given > friends.json

            \(BookArgument.statuses([0: "done", 1: "broken contacts or photos were left out, each reported"]))
            """)

    @OptionGroup var book: BookArgument

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The output file (default: standard output).", valueName: "file"),
        completion: .file())
    var output: String?

    @OptionGroup var selection: SelectionOptions

    func validate() throws {
        if output == "" { throw ValidationError("--output needs a name.") }
    }

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let path = output.flatMap { $0 == "-" ? nil : arguments.path($0) }
        let read = try book.read(&arguments)
        let contacts = try selection.contacts(of: read)
        let export = BookExport(read)
        if let path, export.isSource(path) {
            Terminal.reportError("\(path): is a file of the address book and would be overwritten")
            throw ExitCode.validationFailure
        }
        var failed = 0
        func write(_ body: ([UInt8]) throws -> Void) throws {
            try export.write(contacts, groups: groups(of: read)) { contact, problem in
                Terminal.reportError("\(contact.displayName): photo: \(problem)")
                failed += 1
            } body: {
                try body($0)
            }
        }
        guard let path else {
            try write(StandardOutput.write)
            if failed > 0 { throw ExitCode(1) }
            return try BookArgument.checkWhole(read)
        }
        do {
            try Self.fill(path) { file in
                try write { _ = try file.writeAll($0) }
            }
        } catch let error as FileError {
            Terminal.reportError("\(error)")
            throw ExitCode.inputOutput
        }
        Terminal.write("\(Quantities.counted(contacts.count, "contact")) exported\n")
        if failed > 0 { throw ExitCode(1) }
        try BookArgument.checkWhole(read)
    }

    /// A file is replaced atomically; a pipe or a device is written to directly.
    private static func fill(_ path: FilePath, _ body: (FileDescriptor) throws -> Void) throws {
        guard FileStatus(path)?.kind == .other else {
            // A link stays, and the file at its end is replaced.
            return try AtomicFile.write(to: path.followed, permissions: .ownerReadWrite, fill: body)
        }
        do {
            let file = try FileDescriptor.open(path, .writeOnly, options: [.closeOnExec])
            try file.closeAfter { try body(file) }
        } catch let error as Errno {
            Terminal.reportError("\(path): cannot be written: \(error.description.lowercased())")
            throw ExitCode.inputOutput
        }
    }

    /// Empty groups are included only if all contacts are exported.
    private func groups(of read: ReadBook) -> [ContactGroup] {
        let isWhole = selection.filter == nil && selection.search == nil && selection.group == nil
        return isWhole ? read.contents.groups : []
    }
}

import ArgumentParser
import FoundationEssentials
import SystemPackage
import TondoAvatars
import TondoCache
import TondoContacts
import TondoFiles

/// `tondo contacts restore`
struct ContactsRestore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restores contacts and their photos from the trash, or lists them.",
        usage: """
            tondo contacts restore [<book>] <id|name> [--trash <folder>]
            tondo contacts restore <book> <id|name>... [--trash <folder>]
            tondo contacts restore [<book>] --list [--json] [--trash <folder>]
            """,
        discussion: """
            A contact returns to its old place: byte for byte if its file is unchanged since; in a changed file between its \
            old neighbours or at the end, with the encoding and the line ends of the file. The result is read back before it \
            is written: unless it holds every contact of the file unchanged, and the restored one, the file stays as it is \
            and the contact stays in the trash. The trash drops the contact only after the file holds it. With a book, only \
            contacts that were removed from it count. If several have one id, use the name that --list shows under ENTRY. \
            Several contacts of one file cost one change of it.

            A contact whose photo was changed gets its former card back, byte for byte, unless another program has changed \
            the card since. Its id means the last change: restoring again undoes the one before.

            EXAMPLES
              tondo contacts restore --list
              tondo contacts restore ~/.contacts 'Ada Lovelace'

            \(ExitStatusText.text(
                [
                    0: "done", 1: "no such contact, an ambiguous id, or its file cannot hold it; others are restored",
                    130: "interrupted: the contacts of some files are restored and reported",
                ],
                noInput: "no trash: neither XDG_DATA_HOME nor HOME is set"))
            """)

    @Argument(
        help: ArgumentHelp("The book, then ids or names; with --list only the book.", valueName: "book|id"),
        completion: .file())
    var words: [String] = []

    @Flag(help: "List the contents of the trash.")
    var list = false

    @OptionGroup var location: TrashLocation

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @OptionGroup var color: ColorOption

    func validate() throws {
        if list, words.count > 1 { throw ValidationError("Too many names: \(words.count).") }
        if words.isEmpty && !list { throw ValidationError("Name a contact, or see --list.") }
        if json && !list { throw ValidationError("--json needs --list.") }
        if words.contains("") { throw ValidationError("A name is empty.") }
    }

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let trash = try location.trash(&arguments)
        let contents = trash.contents()
        for failure in contents.failures { Terminal.reportError("\(failure)") }
        // An empty list would say that nothing is in it.
        if trash.obstacle(in: contents.failures) != nil { throw ExitCode.inputOutput }
        var items = contents.items
        if list || words.count > 1 { items = words.first.map { Trash.items(items, of: arguments.path($0)) } ?? items }
        if list { return try show(items) }
        try restore(words.count == 1 ? words : Array(words.dropFirst()), of: items, in: trash)
    }

    /// The last removed one first, so that an unchanged file becomes what it was; each once.
    private func restore(_ words: [String], of items: [Trash.Item], in trash: Trash) throws {
        var wanted: [String: String] = [:]
        var failure: ExitCode?
        let lookup = Trash.Lookup(items)
        for word in words {
            do { wanted[try item(word, in: lookup).name] = word } catch { failure = error as? ExitCode ?? ExitCode(1) }
        }
        let found = items.filter { wanted[$0.name] != nil }
        let results = Interrupts.restoring(found, from: trash)
        for (item, result) in zip(found, results) {
            switch result {
            case .success(let outcome):
                let text = "\(item.record.id)  \(item.record.name): \(Self.result(outcome, of: item))"
                try? StandardOutput.write(Terminal.printable(text) + "\n")
                if FileStatus(item.path) != nil {
                    Terminal.reportError("\(item.path): cannot be removed: the trash still lists the contact")
                    failure = ExitCode.inputOutput
                }
            case .failure(.interrupted): break
            case .failure(let error):
                Terminal.reportError("\(wanted[item.name] ?? item.name): \(error)")
                failure = error.isInputOutput ? ExitCode.inputOutput : failure ?? ExitCode(1)
            }
        }
        try Interrupts.check(results.map(\.problem))
        if let failure { throw failure }
    }

    private static func result(_ outcome: ContactRestoration.Outcome, of item: Trash.Item) -> String {
        let file = item.record.file
        switch (outcome, item.record.isChange) {
        case (.restored, false): return "restored to \(file)"
        case (.restored, true): return "photo restored in \(file)"
        case (.wasThere, _): return "is already in \(file)"
        }
    }

    private func item(_ word: String, in lookup: Trash.Lookup) throws -> Trash.Item {
        let meant = lookup.items(meantBy: word)
        if meant.count == 1 { return meant[0] }
        if meant.isEmpty {
            Terminal.reportError("\(word): no such contact in the trash; --list shows the contents")
        } else {
            let texts = meant.map { "\($0.name)  \($0.record.name), from \($0.record.file)" }
            Candidates.reportError(
                "\(word): several contacts in the trash", candidates: texts, introduction: "use one of these names")
        }
        throw ExitCode(1)
    }

    private struct Document: Encodable {
        var entry: String
        var id: String
        var name: String
        /// `removed`, or `photo`: the contact has another one since.
        var change: String
        var removed: String
        var file: String
        var format: String

        init(_ item: Trash.Item) {
            entry = item.name
            id = item.record.id
            name = item.record.name
            file = item.record.file
            format = item.record.format
            change = item.change
            removed = Date(timeIntervalSince1970: Double(item.record.removedAt)).iso
        }
    }

    private func show(_ items: [Trash.Item]) throws {
        if json {
            for item in items { try StandardOutput.write(json: Document(item)) }
            return
        }
        if items.isEmpty { return Terminal.write("the trash is empty\n") }
        var table = Table(columns: [
            .init(title: "NAME", isFlexible: true), .init(title: "CHANGE", dispensability: 4),
            .init(title: "DATE", dispensability: 1),
            .init(title: "FILE", isFlexible: true), .init(title: "ID", dispensability: 2),
            .init(title: "ENTRY", dispensability: 3),
        ])
        for item in items {
            let removed = Date(timeIntervalSince1970: Double(item.record.removedAt))
            table.add([
                item.record.name, item.change, WallClock.local.text(removed), item.record.file, item.record.id,
                item.name,
            ])
        }
        try StandardOutput.write(table, color.paint)
    }
}

extension Trash.Item {
    /// What happened to the contact.
    fileprivate var change: String { record.isChange ? "photo" : "removed" }
}

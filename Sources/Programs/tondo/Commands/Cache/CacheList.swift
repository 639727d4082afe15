import ArgumentParser
import FoundationEssentials
import SystemPackage
import TondoCache
import TondoText

/// `tondo cache ls`
struct CacheList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "Lists entries, one per line.",
        discussion: """
            An entry is listed if it meets all conditions. On a narrow terminal some columns are left out and long names \
            are shortened; in a pipe the output is complete.

            EXAMPLES
              tondo cache ls --contact ada               the entries of Ada
              tondo cache ls --style side=192,ring=8     one style, by words of its recipe
              tondo cache ls --since 2h --sort created   used recently, the newest first
              tondo cache ls --json --limit 0            all entries, for scripts

            \(ExitStatusText.text([0: "done, even if there was nothing to list"]))
            """)

    @OptionGroup var location: CacheLocation

    @Option(help: ArgumentHelp("Entries of this contact, or of the photo with this name.", valueName: "name"))
    var contact: String?

    @Option(
        help: ArgumentHelp(
            "Entries whose recipe has these words, such as side=192,ring=8 ('show' prints recipes); a plain number is a side.",
            valueName: "words"))
    var style: StyleWords?

    @Option(help: ArgumentHelp("Entries in this format: png, webp.", valueName: "format"))
    var format: EntryFormat?

    @Option(help: ArgumentHelp("Entries used since: 30m, 12h, 7d, or 2026-11-20T14:00.", valueName: "when"))
    var since: Since?

    @Option(help: ArgumentHelp("Entries larger than this: 20kB, 1MiB.", valueName: "bytes"))
    var largerThan: ByteCount?

    @Option(help: ArgumentHelp("Latest, largest or slowest to draw first.", valueName: "order"))
    var sort = EntryQuery.Order.used

    @Option(help: ArgumentHelp("Maximum number of entries; 0 lists all.", valueName: "count"))
    var limit = 100

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @OptionGroup var color: ColorOption

    func validate() throws {
        if limit < 0 { throw ValidationError("--limit \(limit): must be 0 or more.") }
    }

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let cache = try location.open(&arguments)
        let entries = try CacheFailure.reporting { try cache.entries(query) }
        let shown = limit > 0 ? entries.prefix(limit) : entries[...]
        if json {
            for entry in shown { try StandardOutput.write(report: EntryReport(entry, in: cache)) }
        } else if shown.isEmpty {
            Terminal.write("no entries\n")
        } else {
            try StandardOutput.write(table(of: shown, now: Date()), color.paint)
        }
        if shown.count < entries.count { Terminal.write("more entries exist; --limit 0 lists all\n") }
    }

    private var query: EntryQuery {
        var query = EntryQuery()
        query.contact = contact
        query.styleWords = style?.words ?? []
        query.since = since?.date(now: Date())
        query.largerThan = largerThan?.bytes
        query.format = format
        query.order = sort
        // One more than the limit shows whether further entries exist.
        query.limit = limit > 0 ? limit + 1 : nil
        return query
    }

    /// The column of the sort order is never dropped.
    private func table(of entries: ArraySlice<Entry>, now: Date) -> Table {
        var table = Table(columns: [
            .init(title: "KEY"), .init(title: "PIXELS", alignment: .right), .init(title: "FORMAT", dispensability: 5),
            .init(title: "BYTES", alignment: .right, dispensability: sort == .size ? 0 : 1),
            .init(title: "COST", alignment: .right, dispensability: sort == .cost ? 0 : 2),
            .init(title: "CREATED", dispensability: sort == .created ? 0 : 3),
            .init(title: "USED", dispensability: sort == .used ? 0 : 4),
            .init(title: "STYLE", isFlexible: true), .init(title: "CONTACTS", isFlexible: true),
        ])
        for entry in entries {
            table.add([
                String(entry.key.hexadecimal.prefix(12)), String(entry.recipe.side), entry.format.rawValue,
                ByteAmount.text(entry.size),
                Quantities.milliseconds(entry.cost), WallClock.local.text(entry.created),
                RelativeTime.text(entry.used, now: now), StyleText.text(entry.recipe.style),
                entry.contacts.joined(separator: ", "),
            ])
        }
        return table
    }
}

extension EntryQuery.Order: WordArgument {}

extension EntryFormat: WordArgument {}

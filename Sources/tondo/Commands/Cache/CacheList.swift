import ArgumentParser
import FoundationEssentials
import SystemPackage
import TondoCache

/// `tondo cache ls`
struct CacheList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "Lists entries, one a line.",
        discussion: """
            EXAMPLES
              tondo cache ls --contact ada               what is there of Ada
              tondo cache ls --style side=192,ring=8     one style, by words of its recipe
              tondo cache ls --since 2h --sort created   made in the last two hours
            """)

    @OptionGroup var location: CacheLocation

    @Option(help: ArgumentHelp("Entries that this contact (or photo of this name) shows.", valueName: "name"))
    var contact: String?

    @Option(
        help: ArgumentHelp(
            "Entries whose recipe has these words, such as side=192,ring=8; a number means side.", valueName: "words"))
    var style: StyleWords?

    @Option(help: ArgumentHelp("Used since then: 30m, 12h, 7d, or 2026-11-20T14:00.", valueName: "when"))
    var since: Since?

    @Option(help: ArgumentHelp("Entries of more bytes than this.", valueName: "bytes"))
    var largerThan: ByteCount?

    @Option(help: "Latest, largest or most costly first: used, created, size or cost.")
    var sort = EntryQuery.Order.used

    @Option(help: ArgumentHelp("Entries at most; 0 lists all.", valueName: "count"))
    var limit = 100

    @Flag(help: "One JSON object a line.")
    var json = false

    func validate() throws {
        if limit < 0 { throw ValidationError("--limit \(limit): 0 or more.") }
    }

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let cache = try location.open(&arguments)
        let entries = try CacheFailure.telling { try cache.entries(query) }
        let shown = limit > 0 ? entries.prefix(limit) : entries[...]
        if json {
            for entry in shown { try StandardOutput.write(json: EntryDocument(entry, in: cache)) }
        } else if shown.isEmpty {
            Terminal.write("no entries\n")
        } else {
            try StandardOutput.write(Self.table(shown, now: Date()).text(width: StandardStreams.outputColumns))
        }
        if shown.count < entries.count { Terminal.write("there are more; --limit 0 lists all\n") }
    }

    private var query: EntryQuery {
        var query = EntryQuery()
        (query.contact, query.styleWords) = (contact, style?.words ?? [])
        query.since = since?.date(now: Date())
        (query.largerThan, query.order) = (largerThan?.bytes, sort)
        // One more, to see whether there are more.
        query.limit = limit > 0 ? limit + 1 : nil
        return query
    }

    private static func table(_ entries: ArraySlice<Entry>, now: Date) -> Table {
        var table = Table([
            .init(title: "KEY"), .init(title: "PIXELS", alignment: .right), .init(title: "BYTES", alignment: .right),
            .init(title: "COST", alignment: .right), .init(title: "CREATED"), .init(title: "USED"),
            .init(title: "STYLE"), .init(title: "CONTACTS", isFlexible: true),
        ])
        for entry in entries {
            table.add([
                String(entry.key.hexadecimal.prefix(12)), String(entry.recipe.side), Quantities.bytes(entry.size),
                Quantities.milliseconds(entry.cost), WallClock.local.text(entry.created),
                RelativeTime.text(entry.used, now: now), StyleText.text(entry.recipe.style),
                entry.contacts.joined(separator: ", "),
            ])
        }
        return table
    }
}

extension EntryQuery.Order: ExpressibleByArgument {}

/// Words of a recipe, with commas: `side=192,ring=8`. A bare number means `side`.
struct StyleWords: ExpressibleByArgument, Equatable, Sendable {
    let words: [String]

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        words = parts.map { Int($0) != nil ? "side=\($0)" : String($0) }
        let areWords = words.allSatisfy { word in
            word.split(separator: "=", maxSplits: 1).count == 2 && !word.contains(" ")
        }
        guard areWords else { return nil }
    }
}

/// An entry as JSON.
struct EntryDocument: Encodable {
    var key: String
    var file: String
    var recipe: String
    var photo: String
    var style: String
    var side: Int
    var bytes: Int
    var cost: Double
    var created: String
    var used: String
    var contacts: [String]

    init(_ entry: Entry, in cache: AvatarCache) {
        key = entry.key.hexadecimal
        file = cache.file(of: entry.key).string
        (recipe, photo, style) = (entry.recipe.text, entry.recipe.photo, entry.recipe.style)
        (side, bytes, cost) = (entry.recipe.side, entry.size, (entry.cost * 1000).rounded() / 1000)
        (created, used, contacts) = (entry.created.iso, entry.used.iso, entry.contacts)
    }
}

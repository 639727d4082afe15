import ArgumentParser
import SystemPackage
import TondoAvatars
import TondoContacts
import TondoFiles

/// `tondo contacts query`
struct ContactsQuery: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query", abstract: "Finds mail addresses for mail programs.",
        discussion: """
            Prints the addresses of all contacts with these words in a name, address, title, company, note, handle, \
            website, related person or group, as they are written or sound; without words, all addresses. First come those that begin so. Each line has \
            the address, the name, and what distinguishes the address, with tabs between them; --format address prints \
            what a message's header has. The books are those of the configuration. mutt asks it by set query_command = "tondo \
            contacts query %s" (mutt quotes it), aerc by address-book-cmd = tondo contacts query --format aerc '%s'.

            EXAMPLES
              tondo contacts query ada
              tondo contacts query --format address --book ~/.contacts ada

            \(BookArgument.statuses([
                0: "done; what cannot be read of a book is left out, and reported on a terminal and in mutt's first line",
                1: "no address found", 78: "the configuration is invalid, or names no book",
            ]))
            """)

    /// What mail programs read.
    enum Format: String, CaseIterable, WordArgument {
        /// A line for people first.
        case mutt
        case aerc
        /// As in the header of a message (RFC 5322 3.4).
        case address
    }

    @Argument(help: ArgumentHelp("Words to look for.", valueName: "word"))
    var words: [String] = []

    @Option(
        help: ArgumentHelp(
            "The mail program: mutt has a first line that says how many were found.", valueName: "format"))
    var format = Format.mutt

    @OptionGroup var books: BooksOption

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func run() throws {
        StandardStreams.prepare()
        var arguments = RawArguments()
        let paths = try books.paths(&arguments).map(\.absolute)
        let saved = SavedAddresses(of: paths)
        if let reading = saved?.read() { return try print(reading) }
        let stamp = SavedAddresses.stamp(of: paths)
        // Mail programs show their users what is written to standard error in the middle of their screens.
        let read = try BooksOption.read(paths, isQuiet: !StandardStreams.outputIsTerminal)
        let reading = SavedAddresses.Reading(read, of: paths.count)
        // A file that could not be opened may be readable the next time, without a change.
        let isLasting = read.count == paths.count && !read.contains(where: \.hasUnreadableParts)
        defer { if isLasting, let stamp { saved?.save(reading, at: stamp) } }
        try print(reading)
    }

    private func print(_ reading: SavedAddresses.Reading) throws {
        let matches = reading.table.matches(words.joined(separator: " "))
        if json {
            for match in matches { try StandardOutput.write(report: Line(match)) }
        } else {
            var text = format == .mutt ? Self.summary(matches.count, failures: reading.failures) + "\n" : ""
            for match in matches { text += format.line(match) + "\n" }
            try StandardOutput.write(text)
        }
        if matches.isEmpty { throw ExitCode(1) }
    }

    private static func summary(_ count: Int, failures: Int) -> String {
        let found =
            count == 0 ? "no address found" : "\(Quantities.count(count)) \(count == 1 ? "address" : "addresses")"
        if failures == 0 { return found }
        return "\(found); \(Quantities.counted(failures, of: "card")) cannot be read, see 'tondo contacts ls'"
    }

    private struct Line: Encodable {
        let address: String
        let name: String
        let note: String

        init(_ match: AddressTable.Match) {
            address = match.address
            name = match.name
            note = match.note
        }
    }
}

extension ContactsQuery.Format {
    fileprivate func line(_ match: AddressTable.Match) -> String {
        switch self {
        case .mutt, .aerc: [match.address, match.name, match.note].joined(separator: "\t")
        case .address: match.name.isEmpty ? match.address : "\(Self.phrase(match.name)) <\(match.address)>"
        }
    }

    /// A name as a phrase: in quotes where it has characters with a meaning (RFC 5322 3.2.5).
    private static func phrase(_ name: String) -> String {
        let isPlain = name.unicodeScalars.allSatisfy {
            $0.value >= 0x80 || !"()<>[]:;@\\,.\"".unicodeScalars.contains($0)
        }
        if isPlain { return name }
        return "\"" + name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}

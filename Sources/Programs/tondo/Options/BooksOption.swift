import ArgumentParser
import SystemPackage
import TondoAvatars
import TondoConfiguration
import TondoFiles

/// The books of commands that look in all of the user's: those of the configuration, unless some are named.
struct BooksOption: ParsableArguments {
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "A file or folder of contacts; may be repeated (default: the books of the configuration, with those of 'tondo sync').",
            valueName: "book"), completion: .file())
    var book: [String] = []

    @OptionGroup var file: SettingsFileOption

    func validate() throws {
        if book.contains("") { throw ValidationError("The name of a book is empty.") }
    }

    /// The books, or the end of the command if none is named and none is configured.
    func paths(_ arguments: inout RawArguments) throws -> [FilePath] {
        book.isEmpty ? try file.books(orNamedBy: "with --book") : book.map { arguments.path($0) }
    }

    /// What can be read of them, or the end of the command if nothing can. Unreadable books and parts are reported.
    /// `isQuiet`: only what ends the command is reported.
    static func read(_ paths: [FilePath], fetched: FilePath? = nil, isQuiet: Bool = false) throws -> [ReadBook] {
        var (books, problems): ([ReadBook], [String]) = ([], [])
        for path in paths {
            let owners = TrashLocation.standard?.owners(of: path) ?? [:]
            if path == "-", StandardStreams.inputIsTerminal {
                problems.append("standard input is a terminal; pipe a book into it")
                continue
            }
            do {
                let piped = try PipedBook(path)
                books.append(try ReadBook(path, owners: owners, fetched: fetched, piped: piped))
            } catch { problems.append("\(path == "-" ? "standard input" : path): \(error)") }
        }
        problems += books.flatMap(\.failures).map { "\($0)" }
        if !isQuiet || books.isEmpty { problems.forEach(Terminal.reportError) }
        if books.isEmpty { throw ExitCode.bookUnreadable }
        return books
    }
}

extension SettingsFileOption {
    /// The books of the configuration, or the end of the command if it has none. A mirror that does not exist yet is left
    /// out. `way`: how the command takes a book.
    func books(orNamedBy way: String) throws -> [FilePath] {
        let configuration = try Serve.configuration(ConfigurationSource(file: config))
        let named = Set(configuration.books.value)
        let found = configuration.servedBooks.filter { named.contains($0) || FileStatus($0) != nil }
        if !found.isEmpty { return found }
        Terminal.reportError(
            "no address book is configured: name one \(way), or in 'books' of the configuration; 'tondo sync discover' adds those of this machine"
        )
        throw ExitCode.misconfigured
    }
}

import ArgumentParser
import SystemPackage
import TondoAvatars
import TondoContacts

/// The book of a command that only reads: the named one, else those of the configuration. A command that changes a book
/// has a `BookArgument`.
struct BooksArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "A file or folder of contacts, - for standard input (default: the books of the configuration, with those of 'tondo sync').",
            valueName: "book"), completion: .file())
    var book: String?

    @OptionGroup var file: SettingsFileOption

    func validate() throws {
        if book == "" { throw ValidationError("The name of the book is empty.") }
    }

    /// The paths, or the end of the command if no book is named and none is configured.
    func paths(_ arguments: inout RawArguments) throws -> [FilePath] {
        try file.books(named: book, &arguments)
    }

    /// What can be read, or the end of the command with the reason. Unreadable parts are reported. `fetched`: photos that
    /// stand for URLs, see `SyncFolderOption`.
    func read(_ arguments: inout RawArguments, fetched: FilePath? = nil) throws -> ReadBooks {
        try ReadBooks(paths(&arguments), fetched: fetched)
    }

    static func statuses(_ own: KeyValuePairs<Int32, String>) -> String {
        let all = own.map { ($0.key, $0.value) }
        return ExitStatusText.text(
            all + [(ExitCode.misconfigured.rawValue, "the configuration is invalid, or names no book")],
            noInput: "no readable address book at this path")
    }
}

extension SettingsFileOption {
    /// The named book, else those of the configuration, or the end of the command.
    func books(named book: String?, _ arguments: inout RawArguments) throws -> [FilePath] {
        if let book { return [arguments.path(book)] }
        return try books(orNamedBy: "on the command line")
    }
}

/// The books of a command that can be read, in their order.
struct ReadBooks {
    /// A contact, and which of the books has it: ids are unique in one book only.
    struct Member {
        let contact: Contact
        let number: Int
    }

    let books: [ReadBook]
    private let isWhole: Bool

    /// Ends the command if no book can be read, or none has a contact that can be.
    init(_ paths: [FilePath], fetched: FilePath? = nil) throws {
        books = try BooksOption.read(paths, fetched: fetched)
        isWhole = books.count == paths.count && books.allSatisfy(\.failures.isEmpty)
        if !isWhole, books.allSatisfy(\.contents.contacts.isEmpty) { throw ExitCode(1) }
    }

    var members: [Member] {
        books.enumerated().flatMap { number, book in
            book.contents.contacts.map { Member(contact: $0, number: number) }
        }
    }

    func book(of member: Member) -> ReadBook { books[member.number] }

    var groups: [GroupSummary] {
        GroupTally.summaries(
            of: books.map { book in
                var tally = GroupTally()
                for group in book.contents.groups { tally.note(group) }
                for contact in book.contents.contacts { tally.add(contact) }
                return tally
            })
    }

    /// The contact that a word means, or the end of the command with the candidates. The first book that has it decides.
    /// `prefersPhoto`: of several contacts with one address or number, the first with a photo is meant.
    func find(_ word: String, prefersPhoto: Bool = false) throws -> (Contact, ReadBook) {
        var candidates: [Contact] = []
        for book in books {
            switch ContactLookup(word, in: book.contents.contacts) {
            case .one(let found): return (found, book)
            case .several(let found) where prefersPhoto && (word.contains("@") || !word.contains(where: \.isLetter)):
                return (ContactLookup.shown(of: found) ?? found[0], book)
            case .several(let found): return (try ContactLookup.several(found).required(word), book)
            case .none(let others): candidates += others
            }
        }
        return (try ContactLookup.none(candidates: candidates).required(word), books[0])
    }

    /// Ends the command with 1 if books, contacts or files could not be read: they were reported, and what the command
    /// printed lacks them.
    func checkWhole() throws {
        if !isWhole { throw ExitCode(1) }
    }
}

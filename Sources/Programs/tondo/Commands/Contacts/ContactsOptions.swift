import ArgumentParser
import FoundationEssentials
import SystemPackage
import TondoAvatars
import TondoContacts

/// The address book of a command that changes it, which has to be named.
struct BookArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("A file or folder of contacts.", valueName: "book"), completion: .file())
    var book: String

    func validate() throws {
        if book.isEmpty { throw ValidationError("The name of the book is empty.") }
    }

    /// The contents of the book, or the end of the command with the reason. Unreadable parts are reported. `trash`: the
    /// place to look up the owners of ids that several contacts claim.
    static func read(_ path: FilePath, trash: Trash) throws -> ReadBook {
        let read: ReadBook
        do { read = try ReadBook(path, owners: trash.owners(of: path)) } catch {
            Terminal.reportError("\(path): \(error)")
            throw ExitCode.bookUnreadable
        }
        for failure in read.failures { Terminal.reportError("\(failure)") }
        if read.contents.contacts.isEmpty, !read.failures.isEmpty { throw ExitCode(1) }
        return read
    }

    /// Ends the command with 1 if the book has contacts or files that could not be read: they were reported, and what the
    /// command printed lacks them.
    static func checkWhole(_ read: ReadBook) throws {
        if !read.failures.isEmpty { throw ExitCode(1) }
    }

    static func statuses(_ own: KeyValuePairs<Int32, String>) -> String {
        ExitStatusText.text(own, noInput: "no readable address book at this path")
    }
}

/// Selects and sorts contacts.
struct SelectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Contacts reachable in all of these ways; several with commas.", valueName: "way,..."))
    var filter: ContactFilter?

    @Option(help: ArgumentHelp("Order by a name (default: the book's order).", valueName: "order"))
    var sort: SortWord?

    @Option(
        help: ArgumentHelp(
            """
            Contacts with these words in a name, title, company, note, address, number, handle, website, related person or group, as they are \
            written or sound, or these digits in a number.
            """, valueName: "text")
    )
    var search: String?

    @Option(help: ArgumentHelp("Members of this group.", valueName: "name|id"))
    var group: String?

    /// The selected contacts. A group that the book does not have ends the command.
    func contacts(of read: ReadBook) throws -> [Contact] {
        if let group {
            try check(group, among: GroupSummary.all(of: read.contents.contacts, declared: read.contents.groups))
        }
        var selection = selection
        selection.sort = sort?.order(locale)
        return selection.chosen(from: read.contents.contacts)
    }

    /// Those of `members`. One book is not copied.
    func contacts(of read: ReadBooks) throws -> [Contact] {
        try read.books.count == 1 ? contacts(of: read.books[0]) : members(of: read).map(\.contact)
    }

    /// The selected contacts of all books, in one order. A group that no book has ends the command.
    func members(of read: ReadBooks) throws -> [ReadBooks.Member] {
        if let group { try check(group, among: read.groups) }
        let selection = selection
        let chosen = read.books.enumerated().flatMap { number, book in
            selection.chosen(from: book.contents.contacts).map { ReadBooks.Member(contact: $0, number: number) }
        }
        guard let order = sort?.order(locale) else { return chosen }
        return order.order(of: chosen.map(\.contact)).map { chosen[$0] }
    }

    /// Without an order.
    private var selection: ContactSelection {
        var selection = ContactSelection()
        selection.filter = filter ?? ContactFilter()
        selection.search = ContactSearch(search ?? "")
        selection.group = group
        return selection
    }

    private var locale: String { ContactSort.locale(ofEnvironment: ProcessInfo.processInfo.environment) }

    /// The headlines of the listed contacts.
    var headlines: ContactHeadlines { ContactHeadlines(sort: sort?.order(locale)?.name, locale: locale) }

    private func check(_ group: String, among groups: [GroupSummary]) throws {
        if groups.contains(where: { ContactSelection.names(group, id: $0.id, name: $0.name) }) { return }
        Candidates.reportError("\(group): no such group", candidates: groups.map(\.name), introduction: "there are")
        throw ExitCode(1)
    }
}

/// An order by name, whose rules depend on the locale.
struct SortWord: ExpressibleByArgument {
    private let word: String

    init?(argument: String) {
        guard ContactSort(argument) != nil else { return nil }
        word = argument
    }

    func order(_ locale: String) -> ContactSort? { ContactSort(word, locale: locale) }

    static var allValueStrings: [String] { ContactSort.words }
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

extension ContactFilter: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }

    static var allValueStrings: [String] { Channel.allCases.map(\.word) }
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

extension ExitCode {
    /// No address book at the path, or an unreadable one (EX_NOINPUT).
    static let bookUnreadable = ExitCode(66)
}

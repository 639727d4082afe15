import TondoAvatars
import TondoServer

/// The progress of all books in one line: for the service manager, the log and humans.
struct LoadState: Equatable {
    var people = 0
    /// Nil while a book is not counted.
    var total: Int? = 0
    var avatars = 0
    var failed = 0
    var isLoaded = true
    /// Unreadable books.
    var unreadable = 0
    /// Unreadable folders and files of other books.
    var unreadableParts = 0

    init(_ progress: [AddressBookService.Progress]) {
        for book in progress {
            people += book.people
            if book.problem != nil { unreadable += 1 }
            // Of a book that was never read nothing is known; one that was lost is served as it was.
            if book.problem != nil, book.total == nil { continue }
            total = total.flatMap { sum in book.total.map { sum + $0 } }
            unreadableParts += book.unreadable.count
            avatars += book.avatars
            failed += book.failed
            isLoaded = isLoaded && (book.isLoaded || book.problem != nil)
        }
    }

    /// `412 of 2000 contacts, 380 avatars`; once all are loaded, `2000 contacts, 4000 avatars, 3 failed`.
    var text: String {
        let noun = (total ?? people) == 1 ? "contact" : "contacts"
        var parts = [
            isLoaded
                ? "\(people) \(people == 1 ? "contact" : "contacts")"
                : "\(people)\(total.map { " of \($0)" } ?? "") \(noun)"
        ]
        parts.append("\(avatars) avatar\(avatars == 1 ? "" : "s")")
        if failed > 0 { parts.append("\(failed) failed") }
        if unreadable > 0 { parts.append("\(unreadable) book\(unreadable == 1 ? "" : "s") unreadable") }
        if unreadableParts > 0 { parts.append("folders or files unreadable: \(unreadableParts)") }
        return parts.joined(separator: ", ")
    }
}

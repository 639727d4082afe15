internal import Dispatch
internal import Synchronization
internal import TondoContacts

/// Surveys the files of a book on all cores. For one use.
final class SurveyRun: Sendable {
    private let book: AddressBook
    private let found: Mutex<[Int: SurveyedFile]>

    /// Files that one thread takes at a time.
    private static let portion = 64

    init(_ book: AddressBook) {
        self.book = book
        found = Mutex(Dictionary(minimumCapacity: book.files.count))
    }

    /// In the order of the files. Blocks.
    func run() -> [SurveyedFile] {
        let portions = (book.files.count + Self.portion - 1) / Self.portion
        DispatchQueue.concurrentPerform(iterations: portions) { survey($0) }
        return found.withLock { found in book.files.indices.compactMap { found[$0] } }
    }

    private func survey(_ portion: Int) {
        let start = portion * Self.portion
        let indices = start..<min(start + Self.portion, book.files.count)
        let files = indices.map { ($0, book.survey(book.files[$0])) }
        found.withLock { found in
            for (index, file) in files { found[index] = file }
        }
    }
}

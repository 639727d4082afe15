internal import Dispatch
internal import Synchronization
internal import SystemPackage
internal import TondoContacts

/// Scans the files of a book on all cores. For one use.
final class SurveyRun: Sendable {
    private let book: AddressBook
    private let files: [FilePath]
    private let found: Mutex<[Int: SurveyedFile]>

    /// Files that one thread takes at a time.
    private static let portion = 64

    init(_ book: AddressBook, _ files: [FilePath]) {
        (self.book, self.files) = (book, files)
        found = Mutex(Dictionary(minimumCapacity: files.count))
    }

    /// In the order of the files. Blocks.
    func run() -> [SurveyedFile] {
        let portions = (files.count + Self.portion - 1) / Self.portion
        DispatchQueue.concurrentPerform(iterations: portions) { survey($0) }
        return found.withLock { found in files.indices.compactMap { found[$0] } }
    }

    private func survey(_ portion: Int) {
        let start = portion * Self.portion
        let indices = start..<min(start + Self.portion, files.count)
        let surveyed = indices.map { ($0, book.survey(files[$0])) }
        found.withLock { found in
            for (index, file) in surveyed { found[index] = file }
        }
    }
}

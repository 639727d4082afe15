internal import Dispatch
internal import Synchronization
internal import SystemPackage
internal import TondoContacts

/// Scans the files of a book on all cores. For one use.
final class BookScanRun: Sendable {
    private let book: AddressBook
    private let files: [FilePath]
    private let found: Mutex<[Int: ScannedFile]>
    /// Contacts that may still be kept, so that the memory of a large book stays bounded.
    private let room: Atomic<Int>

    /// Files that one thread takes at a time.
    private static let portion = 64

    /// Half a kilobyte each.
    static let mostKept = 16_384

    /// `room`: the number of contacts of small files that are kept from the scan, more or less.
    init(_ book: AddressBook, _ files: [FilePath], room: Int = mostKept) {
        (self.book, self.files) = (book, files)
        self.room = Atomic(room)
        found = Mutex(Dictionary(minimumCapacity: files.count))
    }

    /// In the order of the files. Blocks.
    func run() -> [ScannedFile] {
        let portions = (files.count + Self.portion - 1) / Self.portion
        DispatchQueue.concurrentPerform(iterations: portions) { scan($0) }
        return found.withLock { found in files.indices.compactMap { found[$0] } }
    }

    private func scan(_ portion: Int) {
        let start = portion * Self.portion
        let indices = start..<min(start + Self.portion, files.count)
        let scanned = indices.map { ($0, scan(files[$0])) }
        found.withLock { found in
            for (index, file) in scanned { found[index] = file }
        }
    }

    private func scan(_ file: FilePath) -> ScannedFile {
        let scanned = book.scan(file, keepsContacts: room.load(ordering: .relaxed) > 0)
        if case .cards(_, _, _, let people?) = scanned { room.subtract(people.count, ordering: .relaxed) }
        return scanned
    }
}

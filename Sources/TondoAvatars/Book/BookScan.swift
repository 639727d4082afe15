internal import Dispatch
internal import Synchronization
internal import SystemPackage
package import TondoContacts
internal import TondoText

/// A first scan of a book, before its contacts are read: their number, and the groups, which must be known first.
package struct BookScan: Sendable {
    /// Contacts, including broken ones.
    package var total = 0
    /// Groups that the files declare, in their order.
    package var groups: [ContactGroup] = []
    var files: [ScannedFile] = []
    /// Contacts that are groups.
    var groupCards: [Contact] = []
}

/// One file of a book.
enum ScannedFile: Sendable {
    /// Read card by card later.
    case cards(FilePath, people: Int, groups: [Contact])
    /// Other formats must be parsed to be counted.
    case contents(FilePath, BookContents)
    case failed(ContactFailure)
}

extension AddressBook {
    /// Counts contacts and finds groups, on all cores. Throws if the book is one file that is not a book.
    package func scan() throws(ContactsError) -> BookScan {
        let scan = scan(of: files)
        if isFile, case .failed(let failure)? = scan.files.first { throw failure.error }
        return scan
    }

    /// The same for some of its files.
    func scan(of files: [FilePath]) -> BookScan {
        var scan = BookScan()
        scan.files = failures.map { .failed($0) } + scanned(files)
        for file in scan.files {
            switch file {
            case .cards(_, let people, let groups):
                scan.total += people
                scan.groupCards += groups
            case .contents(_, let contents):
                let groups = contents.contacts.filter { $0.kind == .group }
                scan.total += contents.contacts.count - groups.count + contents.failures.count
                scan.groupCards += groups
                scan.groups += contents.groups
            case .failed: break
            }
        }
        scan.groups += scan.groupCards.map { ContactGroup($0.displayName) }
        return scan
    }

    /// In their order.
    private func scanned(_ files: [FilePath]) -> [ScannedFile] {
        // The files that one thread takes at a time.
        let portion = 64
        let found = Mutex([Int: ScannedFile](minimumCapacity: files.count))
        DispatchQueue.concurrentPerform(iterations: (files.count + portion - 1) / portion) { number in
            let indices = number * portion..<min((number + 1) * portion, files.count)
            let scanned = indices.map { ($0, scan(files[$0])) }
            found.withLock { $0.merge(scanned) { $1 } }
        }
        return found.withLock { found in files.indices.compactMap { found[$0] } }
    }

    private func scan(_ file: FilePath) -> ScannedFile {
        do throws(ContactsError) {
            let data = try BookFile(folder.pushing(file))
            guard BookFormat.isVCard(UnsafeRawBufferPointer(rebasing: data.bytes.prefix(4096))) else {
                return try scanWhole(data.fileBytes, file)
            }
            let text = try VCardText(data.bytes, limits: limits) { data.release($0) }
            let parser = VCardParser(text, file: file)
            let scan = text.scan()
            // A broken card is reported when the others are read.
            var passed = ReadBytes(data.fileBytes)
            let groups = scan.groups.compactMap { card in
                defer { passed.passed(card.bytes.upperBound) }
                return try? parser.contact(in: card)
            }
            // The failure for cards beyond the limit.
            let isOver = scan.cards > limits.cards
            return .cards(file, people: scan.people + (isOver ? 1 : 0), groups: groups)
        } catch { return .failed(ContactFailure(file: file, line: nil, error: error)) }
    }

    private func scanWhole(_ bytes: FileBytes, _ file: FilePath) throws(ContactsError) -> ScannedFile {
        switch BookFormat.recognise(bytes) {
        case .book(let format): return .contents(file, try format.read(bytes, name: file, limits: limits))
        case .other(let kind): throw bytes.isEmpty ? .empty : .otherKind(kind)
        }
    }
}

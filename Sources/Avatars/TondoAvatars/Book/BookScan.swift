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
    case cards(FilePath, count: Int, groups: [Contact], People)
    /// Other formats must be parsed to be counted.
    case contents(FilePath, BookContents)
    case failed(ContactFailure)

    /// What is kept of a file of cards until its contacts are read.
    enum People: Sendable {
        /// Nothing: the file is large, or many are kept already.
        case none
        /// The copy of a large file, which is read card by card.
        case copy(BookFile)
        /// The text, which is small: the total need not wait until it is parsed.
        case text(BookFile)
        case packed([AddressBook.FoundItem])

        /// In memory.
        var areKept: Bool {
            switch self {
            case .text, .packed: true
            case .none, .copy: false
            }
        }
    }
}

extension AddressBook {
    /// Counts contacts and finds groups, on all cores. Throws if the book is one file that is not a book.
    package func scan() throws(ContactsError) -> BookScan {
        let scan = scan(of: files)
        if isFile, case .failed(let failure)? = scan.files.first { throw failure.error }
        return scan
    }

    /// Surveys these files alone.
    func scan(of files: [FilePath]) -> BookScan {
        var scan = BookScan()
        scan.files = failures.map { .failed($0) } + scanned(files)
        for file in scan.files {
            switch file {
            case .cards(_, let count, let groups, _):
                scan.total += count
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

    /// Contacts of small files that are kept from a scan, more or less, half a kilobyte each: the memory of a large book
    /// stays bounded.
    private static let mostKept = 16_384

    /// Bytes of files whose cards are parsed while they are in memory, on all cores, so that a folder of small files is
    /// read once.
    private static let parsedAtOnce = 64 << 10

    /// Bytes of files whose text is kept: little more than their contacts take.
    private static let keptText = 2 << 10

    /// In their order.
    func scanned(_ files: [FilePath], keeping most: Int = mostKept) -> [ScannedFile] {
        let room = Atomic(most)
        return Self.onAllCores(files[...]) { name in
            let file = scan(name, keepsContacts: room.load(ordering: .relaxed) > 0)
            if case .cards(_, let count, _, let people) = file, people.areKept {
                room.subtract(count, ordering: .relaxed)
            }
            return file
        }
    }

    /// The results in the order of the files.
    private static func onAllCores<File: Sendable, Found: Sendable>(
        _ files: ArraySlice<File>, _ body: @Sendable (File) -> Found
    ) -> [Found] {
        // The files that one thread takes at a time.
        let portion = 64
        let portions = (files.count + portion - 1) / portion
        let found = Mutex([[Found]](repeating: [], count: portions))
        DispatchQueue.concurrentPerform(iterations: portions) { number in
            let part = files.dropFirst(number * portion).prefix(portion).map(body)
            found.withLock { $0[number] = part }
        }
        return found.withLock { Array($0.joined()) }
    }

    /// The contacts of the files whose text is kept, on all cores; none of the others.
    func parsed(_ files: ArraySlice<ScannedFile>, packs: Bool) -> [[FoundItem]] {
        Self.onAllCores(files) { file in
            guard case .cards(let path, _, _, .text(let data)) = file,
                let text = try? VCardText(data.bytes, limits: limits)
            else { return [] }
            return people(of: text, in: data, file: path, packs: packs)
        }
    }

    private func people(of text: VCardText, in data: BookFile, file: FilePath, packs: Bool) -> [FoundItem] {
        var people: [FoundItem] = []
        _ = readCards(of: text, in: data, file: file) { item in
            people.append(item.map { packs ? .packed(PackedContact($0)) : .unpacked($0) })
            return true
        }
        return people
    }

    private func scan(_ file: FilePath, keepsContacts: Bool) -> ScannedFile {
        do throws(ContactsError) {
            let data = try BookFile(folder.pushing(file))
            guard BookFormat.isVCard(UnsafeRawBufferPointer(rebasing: data.bytes.prefix(4096))) else {
                return try scanWhole(data.fileBytes, of: file)
            }
            let text = try VCardText(data.bytes, limits: limits) { data.release($0) }
            let parser = VCardParser(text: text, file: file)
            let scan = text.scan()
            // A broken card is reported when the others are read.
            var passed = ReadBytes(data.fileBytes)
            let groups = scan.groups.compactMap { card in
                defer { passed.passed(card.bytes.upperBound) }
                return try? parser.contact(in: card)
            }
            // With the failure for cards beyond the limit, and those of groups.
            let count = scan.people + (scan.cards > limits.cards ? 1 : 0) + scan.groups.count - groups.count
            let kept: ScannedFile.People =
                switch data.bytes.count {
                case ...Self.keptText where keepsContacts: .text(data)
                case ...Self.parsedAtOnce where keepsContacts:
                    .packed(people(of: text, in: data, file: file, packs: true))
                // A folder may have many.
                default: isFile && data.isCopy ? .copy(data) : .none
                }
            return .cards(file, count: count, groups: groups, kept)
        } catch { return .failed(ContactFailure(file: file, line: nil, error: error)) }
    }

    private func scanWhole(_ bytes: FileBytes, of file: FilePath) throws(ContactsError) -> ScannedFile {
        switch BookFormat.recognise(bytes) {
        case .book(let format): return .contents(file, try format.read(bytes, name: file, limits: limits))
        case .other(let kind): throw bytes.isEmpty ? .empty : .otherKind(kind)
        }
    }
}

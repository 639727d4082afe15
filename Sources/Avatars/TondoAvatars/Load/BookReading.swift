internal import SystemPackage
internal import TondoContacts

/// The first pass through a book: counts, and keeps what later scans are compared with.
struct BookReading {
    private(set) var people = 0
    private(set) var failures = 0
    private(set) var unreadable = UnreadableParts()
    /// The system was short of something, so that a file is to be read once more. Only where a later look is possible;
    /// elsewhere such a file is a failure.
    private(set) var needsAnotherLook = false
    /// Nil when nothing is to be kept.
    private(set) var snapshot: BookSnapshot?

    init(_ snapshot: BookSnapshot?) { self.snapshot = snapshot }

    /// `deliver` gets each contact with its index, until it returns false.
    mutating func read(_ book: AddressBook, _ scan: BookScan, deliver: (Int, AddressBook.Item) -> Bool) {
        var parts = snapshot == nil ? nil : BookSnapshot.Parts(scan)
        var wholes: [ContactFailure] = []
        var isShort = false
        defer {
            unreadable = UnreadableParts(wholes)
            needsAnotherLook = isShort
        }
        let isKept = snapshot != nil
        func isShortage(_ item: AddressBook.Item) -> Bool {
            if case .failure(let failure) = item { isKept && failure.error.isShortage } else { false }
        }
        book.read(scan) { file, item in
            // Of a file that nothing is known of, the next look reads all.
            if isShortage(item) {
                isShort = true
                return
            }
            parts?.add(item, of: file)
            if case .failure(let failure) = item, failure.line == nil { wholes.append(failure) }
        } body: { item in
            if isShortage(item) { return true }
            let index = people
            if case .success = item { people += 1 } else { failures += 1 }
            return deliver(index, item)
        }
        if let parts {
            snapshot = BookSnapshot(
                parts.parts, order: book.files, listing: book.failures, folders: book.plainFolders, owners: book.owners)
        }
    }
}

extension BookSnapshot {
    /// The contents of files during reading.
    struct Parts {
        private(set) var parts: [FilePath: Part] = [:]

        init(_ scan: BookScan) {
            for file in scan.files {
                switch file {
                case .cards(let path, _, let groups, _): parts[path] = Part(groups: groups)
                case .contents(let path, let contents):
                    parts[path] = Part(groups: contents.contacts.filter { $0.kind == .group }, hasScaledPhotos: true)
                case .failed: break
                }
            }
        }

        /// `item`: as it was read, before the book is merged.
        mutating func add(_ item: AddressBook.Item, of file: FilePath) {
            switch item {
            case .success(let contact): parts[file, default: Part()].people.append(PackedContact(contact))
            case .failure(let failure): parts[file, default: Part()].failures.append(failure)
            }
        }
    }
}

internal import SystemPackage
internal import TondoContacts

/// The first pass through a book: counts, and keeps what later scans are compared with.
struct BookReading {
    private(set) var people = 0
    private(set) var failures = 0
    /// How many of the failures are contacts, and no files or folders.
    private(set) var brokenContacts = 0
    private(set) var unreadable = UnreadableParts()
    /// The system was short of something, so that a file is to be read once more. Only where a later look is possible;
    /// elsewhere such a file is a failure.
    private(set) var needsAnotherLook = false
    /// Nil when nothing is to be kept.
    private(set) var snapshot: BookSnapshot?

    init(_ snapshot: BookSnapshot?) { self.snapshot = snapshot }

    /// `deliver` gets each contact of the book with its index, until it returns false. One that the snapshot keeps is packed,
    /// and shares its bytes.
    mutating func read(_ book: AddressBook, _ scan: BookScan, deliver: (Int, AddressBook.FoundItem) -> Bool) {
        var parts = snapshot == nil ? nil : BookSnapshot.Parts(scan)
        var merger = book.merger(of: scan)
        var wholes: [ContactFailure] = []
        var isShort = false
        defer {
            unreadable = UnreadableParts(wholes)
            needsAnotherLook = isShort
        }
        book.readFiles(of: scan, packs: parts != nil) { file, item in
            let index = people
            switch item {
            // Of a file that nothing is known of, the next look reads all.
            case .failure(let failure) where parts != nil && failure.error.isShortage:
                isShort = true
                // Else it would count as read, and its contacts would be missing until it changes.
                parts?.forget(file)
                return true
            case .failure(let failure):
                failures += 1
                parts?.add(failure, of: file)
                if failure.line == nil { wholes.append(failure) } else { brokenContacts += 1 }
                return deliver(index, item)
            case .success(let found):
                people += 1
                guard parts != nil else { return deliver(index, .success(.unpacked(merger.add(found.contact)))) }
                let packed = found.packed
                parts?.add(packed, of: file)
                return deliver(index, .success(.packed(merger.add(packed))))
            }
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

        /// Reads these files of a book.
        init(reading files: [FilePath], of book: AddressBook) {
            let scan = book.scan(of: files)
            self.init(scan)
            addAll(of: scan, in: book)
        }

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

        /// Reads the files of the scan.
        mutating func addAll(of scan: BookScan, in book: AddressBook) {
            book.readFiles(of: scan, packs: true) { file, item in
                switch item {
                case .success(let found): add(found.packed, of: file)
                case .failure(let failure): add(failure, of: file)
                }
                return true
            }
        }

        /// `contact`: as it is in its file, before the book is merged.
        mutating func add(_ contact: PackedContact, of file: FilePath) {
            parts[file, default: Part()].people.append(contact)
        }

        mutating func add(_ failure: ContactFailure, of file: FilePath) {
            parts[file, default: Part()].failures.append(failure)
        }

        mutating func forget(_ file: FilePath) { parts[file] = nil }
    }
}

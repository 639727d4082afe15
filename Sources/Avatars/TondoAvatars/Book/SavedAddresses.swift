internal import Glibc
package import SystemPackage
package import TondoContacts
internal import TondoDigest
internal import TondoFiles

/// The addresses of books as they were read last, in a file: mail programs ask with each letter, and to read ten thousand cards
/// takes a tenth of a second. They count as long as no file and no folder of the books has changed. Blocks; by any process.
package struct SavedAddresses: Sendable {
    /// The state of all files of some books at one time.
    package struct Stamp: Sendable {
        /// The paths of all files and folders, with a zero byte behind each.
        fileprivate let paths: [UInt8]
        /// The status of each.
        fileprivate let states: [UInt8]
    }

    /// The addresses of books, and how many cards and files of them could not be read.
    package struct Reading: Sendable {
        package let table: AddressTable
        package let failures: Int

        package init(_ table: AddressTable, failures: Int) {
            self.table = table
            self.failures = failures
        }

        /// `count`: of books that were asked for; the others could not be read.
        package init(_ books: [ReadBook], of count: Int) {
            let groups = books.map { AnySequence($0.groupCards.flatMap(\.recipients)) }
            table = AddressTable((books.map { AnySequence($0.contents.contacts) } + groups).joined())
            failures = books.reduce(count - books.count) { $0 + $1.failures.count }
        }
    }

    private let file: FilePath

    /// Changes when the bytes that follow have another form or meaning.
    private static let mark = Array("tondo addresses 4\n".utf8)
    /// Larger files are none of these.
    private static let largest = 1 << 30
    /// A file that changed less than so many nanoseconds ago may change again without another time.
    private static let settled = 2_000_000_000
    /// Files in the folder, one for each choice of books: older ones are removed.
    private static let mostKept = 16
    /// Another version of the program may read the same cards otherwise.
    private static let program = FilePath("/proc/self/exe")

    /// `folder`: nil: the standard one; without one, nothing is saved. `books`: absolute.
    package init?(of books: [FilePath], in folder: FilePath? = nil) {
        guard let folder = folder ?? StandardPaths.process.cache?.appending("tondo-addresses") else { return nil }
        var hash = SHA256()
        for book in books { hash.update(Array(book.bytes) + [0]) }
        file = folder.appending(String(hash.finish().hexadecimal.prefix(32)))
    }

    /// Nil: none are saved, or the books have changed.
    package func read() -> Reading? {
        guard let file = try? FileDescriptor.open(file, .readOnly, options: [.closeOnExec, .noFollow]) else {
            return nil
        }
        defer { try? file.close() }
        guard let status = try? FileStatus(file), status.kind == .regular, status.size <= Self.largest else {
            return nil
        }
        guard let bytes = try? file.readAll(capacity: status.size + 1) else { return nil }
        defer { free(UnsafeMutableRawPointer(mutating: bytes.baseAddress)) }
        return Self.reading(in: bytes)
    }

    private static func reading(in bytes: UnsafeRawBufferPointer) -> Reading? {
        let head = mark.count + 3 * MemoryLayout<Int>.size
        guard bytes.count >= head, bytes.prefix(mark.count).elementsEqual(mark) else { return nil }
        let numbers = (0..<3).map {
            bytes.loadUnaligned(fromByteOffset: mark.count + $0 * MemoryLayout<Int>.size, as: Int.self)
        }
        let (left, counts) = (bytes.count - head, (paths: numbers[0], states: numbers[1]))
        guard 0...left ~= counts.paths, 0...left ~= counts.states, counts.paths + counts.states <= left, numbers[2] >= 0
        else { return nil }
        let paths = UnsafeRawBufferPointer(rebasing: bytes[head..<head + counts.paths])
        let saved = bytes[(head + counts.paths)..<(head + counts.paths + counts.states)]
        guard paths.last == 0, let states = states(of: paths, now: nil), saved.elementsEqual(states) else { return nil }
        let table = AddressTable(UnsafeRawBufferPointer(rebasing: bytes[saved.endIndex...]))
        return table.map { Reading($0, failures: numbers[2]) }
    }

    /// The state of books that are about to be read. Nil: they cannot be watched this way, or changed a moment before `now`, which is in
    /// seconds since 1970.
    package static func stamp(of books: [FilePath], now: Int = time(nil)) -> Stamp? {
        var paths = program.bytes + [0]
        for path in books {
            guard let book = try? AddressBook(path) else { return nil }
            guard let places = book.places else { return nil }
            for place in places { paths += Array(place.bytes) + [0] }
        }
        return paths.withUnsafeBytes { states(of: $0, now: now * 1_000_000_000) }.map {
            Stamp(paths: paths, states: $0)
        }
    }

    /// Writes nothing if the books have changed since. That it cannot write costs time only. Only the user can read it.
    package func save(_ reading: Reading, at stamp: Stamp) {
        // A new file changes its folder.
        guard stamp.paths.withUnsafeBytes({ Self.states(of: $0, now: nil) }) == stamp.states else { return }
        let numbers = [stamp.paths.count, stamp.states.count, reading.failures].withUnsafeBytes { Array($0) }
        let bytes = Self.mark + numbers + stamp.paths + stamp.states + reading.table.bytes
        try? AtomicFile.write(to: file, permissions: .ownerReadWrite) { _ = try $0.writeAll(bytes) }
        removeOldest()
    }

    private func removeOldest() {
        let folder = file.removingLastComponent()
        let listing = FolderListing(folder, recursive: false, followsLinks: false)
        let files = listing.files.map { folder.pushing($0) }.filter { $0 != file }
        let byAge = files.map { (FileStatus($0, followingLinks: false)?.modified ?? 0, $0) }.sorted { $0.0 > $1.0 }
        for (_, file) in byAge.dropFirst(Self.mostKept - 1) { file.withPlatformString { _ = unlink($0) } }
    }

    /// Nil: a file is gone. `now`: those that changed just before then may change again without another time: nil, too.
    private static func states(of paths: UnsafeRawBufferPointer, now: Int?) -> [UInt8]? {
        var states: [UInt8] = []
        var start = 0
        while start < paths.count, let base = paths.baseAddress {
            let path = (base + start).assumingMemoryBound(to: CChar.self)
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            let times = (status.st_mtim.nanoseconds, status.st_ctim.nanoseconds)
            if let now, max(times.0, times.1) > now - settled { return nil }
            let state = (status.st_dev, status.st_ino, status.st_size, times.0, times.1)
            withUnsafeBytes(of: state) { states += $0 }
            start += strlen(path) + 1
        }
        return states
    }
}

extension timespec {
    fileprivate var nanoseconds: Int { tv_sec * 1_000_000_000 + tv_nsec }
}

extension AddressBook {
    /// All files and folders whose status shows a change of the book; nil: links lead to others.
    fileprivate var places: [FilePath]? {
        if isFile { return [path] }
        return plainFolders.map { folders in
            folders.sorted { $0.string < $1.string }.map { folder.pushing($0) } + files.map { folder.pushing($0) }
        }
    }
}

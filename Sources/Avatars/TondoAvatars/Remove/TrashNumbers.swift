internal import Synchronization
internal import SystemPackage
internal import TondoFiles

/// Numbers the records of a trash in the order in which they are made: nanoseconds since 1970, but each more than all before it,
/// also after the clock was set back. Usable from any thread.
final class TrashNumbers: Sendable {
    /// Nil: the folder was not looked at yet.
    private let last = Mutex<Int64?>(nil)

    /// Reads the names in the folder the first time: thousands of records may follow.
    func next(in folder: FilePath) -> Int64 {
        last.withLock { last in
            let highest = last ?? Self.begin(in: folder)
            let next = max(Int64.nanosecondsSince1970, highest == .max ? highest : highest + 1)
            last = next
            return next
        }
    }

    /// The highest number. Removes what killed processes left behind: they hold a contact each.
    private static func begin(in folder: FilePath) -> Int64 {
        AtomicFile.clear(folder)
        let names = FolderListing(folder, recursive: false, followsLinks: false).files
        return names.compactMap { number(of: $0) }.max() ?? 0
    }

    /// The number in the name of a record: seconds, number and chance, between hyphens. Nil for other files.
    static func number(of file: FilePath) -> Int64? {
        let parts = (file.lastComponent?.stem ?? "").split(separator: "-")
        return parts.count >= 3 ? Int64(parts[1]) : nil
    }
}

internal import Synchronization
internal import SystemPackage
internal import TondoFiles
internal import TondoMirror

/// A book's file that has left its name for a temporary one, which says by digests what it may hold: the book as it was read, or as
/// it was to become. A process that is killed here leaves such a file behind. It may also hold the change of another program that
/// came in that moment, which no other file has then.
enum LeftBook {
    /// Beside the book's file `path`.
    static func path(beside path: FilePath, holding contents: [FileDigest?]) -> FilePath {
        let marks = contents.compactMap { $0?.text }
        return path.removingLastComponent().appending(AtomicFile.temporaryName(marks: marks))
    }

    /// When this process cleared each folder with many names last.
    private static let cleared = Mutex<[FilePath: ContinuousClock.Instant]>([:])
    private static let interval = Duration.seconds(3_600)
    /// To list a hundred thousand names takes longer than to remove a contact.
    private static let many = 1_000

    /// Clears a folder in which this process changed a file: one with many names once an hour.
    static func clearIfDue(_ folder: FilePath) {
        let now = ContinuousClock.now
        let isDue = cleared.withLock { cleared in
            cleared = cleared.filter { $0.value.duration(to: now) < interval }
            return cleared[folder] == nil
        }
        guard isDue, clear(folder) > many else { return }
        cleared.withLock { $0[folder] = now }
    }

    /// Removes the files that killed processes left in a folder, unless they hold something else than their names say.
    /// Returns the number of all names in the folder.
    @discardableResult static func clear(_ folder: FilePath) -> Int {
        AtomicFile.clear(folder) { marks, path in
            marks.isEmpty || FileDigest(ofFileAt: path).map { marks.contains($0.text) } == true
        }
    }
}

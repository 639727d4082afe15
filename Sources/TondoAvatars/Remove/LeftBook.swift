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

    /// Removes the files that killed processes left in a folder, unless they hold something else than their names say.
    static func clear(_ folder: FilePath) {
        AtomicFile.clear(folder) { marks, path in
            marks.isEmpty || FileDigest(ofFileAt: path).map { marks.contains($0.text) } == true
        }
    }
}

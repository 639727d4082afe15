internal import SystemPackage

/// The files of a book that a change concerns. Pure.
struct TouchedFiles: Sendable {
    /// Paths below the book's folder; nil: all of them.
    private let paths: Set<String>?
    private let names: Set<String>

    static let none = TouchedFiles([])
    static let all = TouchedFiles(nil)

    /// `paths`: of files, or of links to folders; nil for all.
    init(_ paths: Set<String>?) {
        self.paths = paths
        names = Set((paths ?? []).compactMap { FilePath($0).lastComponent?.string })
    }

    var isEmpty: Bool { paths?.isEmpty ?? false }

    /// The file itself, or a link that leads to it.
    func contains(_ file: FilePath) -> Bool {
        guard let paths else { return true }
        if paths.isEmpty { return false }
        var path = file
        while !path.isEmpty {
            if paths.contains(path.string) { return true }
            path.removeLastComponent()
        }
        return false
    }

    /// A file with one of these names, in any folder.
    func containsAny(named names: some Sequence<String>) -> Bool {
        paths == nil || names.contains(where: self.names.contains)
    }
}

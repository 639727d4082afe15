package import SystemPackage

/// A contact, or a whole file of a book, that could not be read, and where.
package struct ContactFailure: Error, Equatable, Sendable {
    /// Relative to the book's folder, or the name of the book's only file.
    package let file: FilePath
    /// Counted from 1; nil for a whole file.
    package let line: Int?
    package let error: ContactsError

    package init(file: FilePath, line: Int?, error: ContactsError) {
        (self.file, self.line, self.error) = (file, line, error)
    }
}

extension ContactFailure: CustomStringConvertible {
    package var description: String { line.map { "\(file):\($0): \(error)" } ?? "\(file): \(error)" }
}

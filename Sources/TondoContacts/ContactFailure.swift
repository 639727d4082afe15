package import SystemPackage

/// An unreadable contact, or a whole unreadable file of a book, and its position.
package struct ContactFailure: Error, Hashable, Sendable {
    /// Relative to the book's folder, or the name of the book's only file.
    package let file: FilePath
    /// Counted from 1; nil for a whole file.
    package let line: Int?
    /// The position in the file's structure: a JSON Pointer (RFC 6901) or a distinguished name; nil if the line is
    /// enough.
    package let path: String?
    package let error: ContactsError

    package init(file: FilePath, line: Int?, path: String? = nil, error: ContactsError) {
        (self.file, self.line, self.path, self.error) = (file, line, path, error)
    }
}

extension ContactFailure: CustomStringConvertible {
    package var description: String {
        [line.map { "\(file):\($0)" } ?? "\(file)", path, "\(error)"].compactMap { $0 }.joined(separator: ": ")
    }
}

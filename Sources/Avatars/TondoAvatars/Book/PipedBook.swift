internal import Glibc
package import SystemPackage
package import TondoContacts
internal import TondoFiles

/// A book that comes through a pipe. Its bytes are in an unnamed temporary file, since a book is read more than once.
package struct PipedBook: Sendable {
    /// The copy, as this process alone can name it; it is there until the process ends.
    let path: FilePath
    /// How messages call it.
    let name: FilePath

    /// Nil for a path of a file or folder, and of nothing. `-` is standard input. Blocks until the writer has closed the pipe.
    /// Throws `unreadable`, and `overLimit` for more bytes than a book's file may have.
    package init?(_ path: FilePath, limit: Int = BookLimits.standard.fileBytes) throws(ContactsError) {
        let isInput = path == "-"
        guard isInput || FileStatus(path)?.kind == .other else { return nil }
        name = isInput ? "standard input" : path
        do {
            let pipe = isInput ? .standardInput : try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
            defer { if !isInput { try? pipe.close() } }
            guard let copy = PrivateCopy.temporary() else { throw Errno.noSpace }
            self.path = FilePath("/proc/self/fd/\(copy.rawValue)")
            var size = 0
            while case let piece = try pipe.readPrefix(1 << 20), !piece.isEmpty {
                size += piece.count
                if size > limit { throw ContactsError.overLimit(.file, found: size, limit: limit) }
                try copy.writeAll(piece)
            }
        } catch { throw error as? ContactsError ?? .unreadable(error as? Errno ?? .ioError) }
    }
}

package import SystemPackage
internal import TondoContacts
internal import TondoFiles

extension AddressBook {
    /// Whether a file looks like a book. Only files that are not photos are read, and only the beginning of large ones.
    package static func isBook(file path: FilePath) -> Bool {
        guard FileStatus(path)?.kind == .regular, !PhotoFile.maybePhoto(path) else { return false }
        if isVCard(path) { return true }
        guard let file = try? BookFile(path, limit: otherLimit) else { return false }
        if case .book = BookFormat.recognise(file.fileBytes) { return true }
        return false
    }

    /// Maximum bytes of a file that is read only to see whether it is a book.
    static let otherLimit = 64 << 20

    private static func isVCard(_ path: FilePath) -> Bool {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking]) else {
            return false
        }
        defer { try? file.close() }
        return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { head in
            guard let count = try? file.read(into: head), count > 0 else { return false }
            return BookFormat.isVCard(UnsafeRawBufferPointer(rebasing: head[..<count]))
        }
    }
}

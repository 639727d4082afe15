internal import Glibc
internal import SystemPackage
internal import TondoContacts
internal import TondoFiles

/// What a book's path leads to: whether a later look finds another book there, or only the empty place of the old one.
struct BookLocation: Equatable {
    /// The path is that of a file.
    let isFile: Bool
    /// The book's folder, or that of its only file: writers exchange the file itself at every change.
    let folder: FileIdentity
}

extension BookLocation {
    /// Throws an `unreadable` error if the book cannot be opened and searched. Blocks for a few system calls.
    init(_ path: FilePath) throws(ContactsError) {
        guard let real = path.real, let status = FileStatus(real) else { throw .unreadable(Errno(rawValue: errno)) }
        isFile = status.kind != .folder
        if isFile, let obstacle = Self.obstacle(to: real) { throw .unreadable(obstacle) }
        do throws(Errno) {
            let folder = isFile ? real.removingLastComponent() : real
            // A folder that may be listed and not searched has names without files.
            let found = isFile ? FileIdentity(folder) : try Folder(folder).status(".")?.identity
            guard let found else { throw Errno.noSuchFileOrDirectory }
            self.folder = found
        } catch { throw .unreadable(error) }
    }

    /// Why the file cannot be opened for reading; nil if it can. Never waits for the writer of a pipe.
    static func obstacle(to file: FilePath) -> Errno? {
        do {
            try FileDescriptor.open(file, .readOnly, options: [.closeOnExec, .nonBlocking]).close()
            return nil
        } catch { return error as? Errno ?? .ioError }
    }

    /// Why this place, which holds no contact, is not the book that was read at `former`; nil if it is an emptied book. An
    /// unmounted file system leaves the empty folder on which it was mounted.
    func absence(since former: BookLocation?) -> ContactsError? {
        guard let former else { return nil }
        if isFile != former.isFile { return .notABook }
        return folder.device == former.folder.device ? nil : .unmounted
    }
}

package import SystemPackage
package import TondoContacts
package import TondoFiles

/// Why a contact was not removed, not changed, or not restored. No data is lost in any case.
package enum ChangeProblem: Error, Equatable, Sendable {
    /// The book or the trash cannot be read or written.
    case file(FileError)
    /// The file changed since it was read, or the change would not leave a valid book.
    case book(FilePath, ContactsError)
    /// Links lead to a file outside the book's folder.
    case outside(FilePath)
    /// Another program changed the file meanwhile.
    case changed(FilePath)
    /// The file was changed, but not under this name, which it has, too.
    case otherName(FilePath, of: FilePath)
    /// The folder of the contact's file no longer exists.
    case noFolder(FilePath)
    /// Another program restored the contact with this id, or emptied the trash.
    case notInTrash(String)
    /// The trash could not record the path: it is not UTF-8.
    case strangeName(FilePath)
    /// The file belongs to a mirror of `tondo sync`, which has this name.
    case mirror(FilePath, name: String)
    /// The user ended the command before it came to this contact.
    case interrupted

    /// Converts an error of changing or restoring; `path`: the file in question.
    init(_ error: any Error, _ path: FilePath) {
        switch error {
        case let error as ChangeProblem: self = error
        case let error as FileError: self = .file(error)
        case let error as ContactsError: self = .book(path, error)
        default: self = .file(FileError(.write, path: path, errno: error as? Errno ?? .ioError))
        }
    }

    /// The contact may be at another place of its book by now.
    package var mayBeElsewhere: Bool {
        switch self {
        case .file(let error): error.action == .read
        case .book(_, .refused): false
        case .book, .outside: true
        default: false
        }
    }

    /// Reading or writing failed, in contrast to a changed book.
    package var isInputOutput: Bool { if case .file = self { true } else { false } }
}

extension ChangeProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .file(let error): error.action == .write ? error.description : "\(error.path): \(error)"
        case .book(let path, let error): "\(path): \(error)"
        case .outside(let path): "\(path): lies outside the address book's folder"
        case .changed(let path): "\(path): another program is changing it; try again"
        case .otherName(let name, let path):
            "\(name): is another name of \(path) and could not be changed: the contact is still there"
        case .interrupted: "nothing was changed: the command was interrupted"
        case .notInTrash(let id): "\(id): is no longer in the trash"
        case .strangeName(let path):
            "\(path): the name is not UTF-8, which the trash cannot store; rename the file first"
        case .mirror(let path, let name):
            "\(path): is a copy that 'tondo sync' fetched (\(name)), and its next run would undo the change; change the "
                + "contact where the copy comes from, or set 'writable = true' for the source and run 'tondo sync'"
        case .noFolder(let path): "\(path): the folder of the contact no longer exists; create it first"
        }
    }
}

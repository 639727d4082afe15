package import SystemPackage
package import TondoContacts

/// Why a contact was not taken out, or not brought back. Nothing is lost by any of them.
package enum RemovalProblem: Error, Equatable, Sendable {
    /// The book or the trash cannot be read or written.
    case file(FileError)
    /// The file is not what it was when it was read, or cannot be changed in a way that keeps it a book.
    case book(FilePath, ContactsError)
    /// Links lead to a file outside the book's folder.
    case outside(FilePath)
    /// Another program changed the file at this moment.
    case changed(FilePath)
    /// The folder that the contact's file was in is gone.
    case noFolder(FilePath)
    /// Another program restored the contact of this id, or emptied the trash.
    case notInTrash(String)
    /// The trash could not tell where the contact was: the path is no UTF-8.
    case strangeName(FilePath)

    /// What a throwing piece of this work threw; `path`: what it worked on.
    init(_ error: any Error, _ path: FilePath) {
        switch error {
        case let error as RemovalProblem: self = error
        case let error as FileError: self = .file(error)
        case let error as ContactsError: self = .book(path, error)
        default: self = .file(FileError(.write, path, error as? Errno ?? .ioError))
        }
    }

    /// Reading or writing failed, as against a book that is not what it was.
    package var isInputOutput: Bool { if case .file = self { true } else { false } }
}

extension RemovalProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .file(let error): error.action == .write ? error.description : "\(error.path): \(error)"
        case .book(let path, let error): "\(path): \(error)"
        case .outside(let path): "\(path): lies outside the address book's folder"
        case .changed(let path): "\(path): another program changes it at this moment; try again"
        case .notInTrash(let id): "\(id): is not in the trash any more"
        case .strangeName(let path): "\(path): its name is not UTF-8, which the trash cannot keep; rename it first"
        case .noFolder(let path): "\(path): the folder is gone that the contact was in; make it again first"
        }
    }
}

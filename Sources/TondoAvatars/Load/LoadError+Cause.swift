internal import SystemPackage
internal import TondoContacts
internal import TondoFiles
internal import TondoJobs

extension LoadError {
    /// `book`: the path that could not be loaded.
    init(_ error: any Error, _ book: FilePath) {
        switch error {
        case let error as LoadError: self = error
        case let error as ContactsError: self.init(code: error.code, message: "\(book): \(error)")
        case WatchError.unreadable(_, let number):
            let cause = ContactsError.unreadable(Errno(rawValue: number))
            self.init(code: cause.code, message: "\(book): \(cause)")
        case let error as WatchError: self.init(code: error.code, message: "\(book): \(error)")
        default: self.init(code: "book-unreadable", message: "\(book): \(error)")
        }
    }
}

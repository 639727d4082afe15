package import SystemPackage

/// A file that could not be read, written or listed, and why.
package struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was tried.
    package enum Action: String, Sendable { case read, write, list }

    package let action: Action
    package let path: FilePath
    package let reason: String

    init(_ action: Action, _ path: FilePath, _ reason: String) {
        (self.action, self.path, self.reason) = (action, path, reason)
    }

    init(_ action: Action, _ path: FilePath, _ errno: Errno) {
        self.init(action, path, errno.description.lowercasedFirst)
    }

    package var code: String { "file-\(action.rawValue)" }

    package var description: String {
        switch action {
        case .read: "cannot be read: \(reason)"
        case .write: "cannot write \(path): \(reason)"
        case .list: "cannot be listed: \(reason)"
        }
    }
}

extension String {
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}

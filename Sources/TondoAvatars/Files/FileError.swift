package import SystemPackage

/// A file that could not be read, written or listed, and why.
package struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was tried.
    package enum Action: String, Sendable { case read, write, list }

    package let action: Action
    package let path: FilePath
    package let reason: String
    /// Nil when the system had no objection.
    package let errno: Errno?

    init(_ action: Action, _ path: FilePath, _ reason: String) {
        (self.action, self.path, self.reason, errno) = (action, path, reason, nil)
    }

    init(_ action: Action, _ path: FilePath, _ errno: Errno) {
        (self.action, self.path, reason, self.errno) = (action, path, errno.description.lowercasedFirst, errno)
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

extension Errno {
    /// The system or the process is short of something, or a server is: says nothing about the file.
    package var isShortage: Bool {
        switch self {
        case .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory, .resourceTemporarilyUnavailable, .interrupted,
            .staleNFSFileHandle:
            true
        default: false
        }
    }
}

extension String {
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}

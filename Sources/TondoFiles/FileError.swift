package import SystemPackage

/// A file that could not be read, written or listed, and the reason.
package struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The failed operation.
    package enum Action: String, Sendable { case read, write, list }

    package let action: Action
    package let path: FilePath
    package let reason: String
    /// The system's error; nil for other errors.
    package let errno: Errno?

    package init(_ action: Action, _ path: FilePath, _ reason: String) {
        (self.action, self.path, self.reason, errno) = (action, path, reason, nil)
    }

    package init(_ action: Action, _ path: FilePath, _ errno: Errno) {
        (self.action, self.path, self.errno) = (action, path, errno)
        reason = errno.description.lowercasedFirst
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
    /// The system, the process or a server lacks resources: the error does not concern the file.
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

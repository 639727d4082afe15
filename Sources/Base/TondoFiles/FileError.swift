package import SystemPackage

/// A file that could not be read, written or listed, and the reason.
package struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The failed operation.
    package enum Action: String, Sendable { case read, write, list }

    package let action: Action
    package let path: FilePath
    package let errno: Errno

    package init(_ action: Action, path: FilePath, errno: Errno) {
        self.action = action
        self.path = path
        self.errno = errno
    }

    /// `file-read`, `file-write` or `file-list`: stable, for scripts.
    package var code: String { "file-\(action.rawValue)" }

    /// Names the path for `write` alone: messages about reading and listing name it before this text.
    package var description: String {
        switch action {
        case .read: "cannot be read: \(errno.reason)"
        case .write: "cannot write \(path): \(errno.reason)"
        case .list: "cannot be listed: \(errno.reason)"
        }
    }
}

extension Errno {
    /// Its description inside a sentence.
    package var reason: String { description.prefix(1).lowercased() + description.dropFirst() }

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

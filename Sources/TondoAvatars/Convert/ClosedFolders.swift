internal import Synchronization
internal import SystemPackage

/// Where no further file can be written: a full or read-only file system, a folder that permits no new file. The first
/// failure decides for all files that would meet it again. Usable from any thread.
final class ClosedFolders: Sendable {
    private struct State {
        var devices: Set<UInt64> = []
        var folders: Set<FileIdentity> = []

        var isEmpty: Bool { devices.isEmpty && folders.isEmpty }
    }

    private let state = Mutex(State())

    /// Notes what `error` says of the folder it was to write into, and gives whether that is new. Nil when the error is
    /// the file's own, such as one that is too large.
    func note(_ error: FileError) -> Bool? {
        guard error.action == .write, let errno = error.errno else { return nil }
        let isFull = [.noSpace, .diskQuotaExceeded, .readOnlyFileSystem].contains(errno)
        guard isFull || errno == .permissionDenied, let folder = Self.folder(of: error.path) else { return nil }
        return state.withLock { state in
            if isFull { return state.devices.insert(folder.device).inserted }
            return state.folders.insert(folder).inserted
        }
    }

    /// Whether one of these files cannot be written for a reason that was noted. Costs nothing before the first.
    func holdsAny(of files: [FilePath]) -> Bool {
        let state = state.withLock { $0 }
        if state.isEmpty { return false }
        return files.contains { file in
            guard file != "-", let folder = Self.folder(of: file) else { return false }
            return state.devices.contains(folder.device) || state.folders.contains(folder)
        }
    }

    /// The folder a file is made in, or the nearest one above that is there.
    private static func folder(of file: FilePath) -> FileIdentity? {
        var folder = file
        repeat {
            folder.removeLastComponent()
            if let identity = FileIdentity(folder.isEmpty ? "." : folder) { return identity }
        } while !folder.isEmpty
        return nil
    }
}

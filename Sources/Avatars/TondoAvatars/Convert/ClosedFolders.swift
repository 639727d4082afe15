internal import Synchronization
internal import SystemPackage
internal import TondoFiles

/// Folders that take no further file: on a full or read-only file system, or without permission. The first failure
/// applies to all files with the same destination. Usable from any thread.
final class ClosedFolders: Sendable {
    private struct State {
        var devices: Set<UInt64> = []
        var folders: Set<FileIdentity> = []

        var isEmpty: Bool { devices.isEmpty && folders.isEmpty }
    }

    private let state = Mutex(State())

    /// Records a write error of a folder, and returns whether it is new. Nil if the error concerns only the file, such
    /// as one that is too large.
    func note(_ error: FileError) -> Bool? {
        guard error.action == .write else { return nil }
        let isFull = [.noSpace, .diskQuotaExceeded, .readOnlyFileSystem].contains(error.errno)
        guard isFull || error.errno == .permissionDenied, let folder = Self.folder(of: error.path) else { return nil }
        return state.withLock { state in
            if isFull { return state.devices.insert(folder.device).inserted }
            return state.folders.insert(folder).inserted
        }
    }

    /// Whether one of these files cannot be written for a recorded reason. Costs nothing before the first error.
    func holdsAny(of files: [FilePath]) -> Bool {
        let state = state.withLock { $0 }
        if state.isEmpty { return false }
        return files.contains { file in
            guard file != "-", let folder = Self.folder(of: file) else { return false }
            return state.devices.contains(folder.device) || state.folders.contains(folder)
        }
    }

    /// The folder of a new file, or its nearest existing parent.
    private static func folder(of file: FilePath) -> FileIdentity? {
        var folder = file
        repeat {
            folder.removeLastComponent()
            if let identity = FileIdentity(folder.isEmpty ? "." : folder) { return identity }
        } while !folder.isEmpty
        return nil
    }
}

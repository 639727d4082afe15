package import SystemPackage
package import TondoFiles

/// Why a mirror cannot be opened or written.
package enum MirrorError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Another process writes it.
    case busy(FilePath)
    /// The state was written by a newer version.
    case newer(FilePath)
    case file(FileError)

    /// The word of `status.json` and `--json`; a `FileError` has a code of its own.
    package var code: String {
        switch self {
        case .busy: "mirror-busy"
        case .newer: "mirror-newer"
        case .file(let error): error.code
        }
    }

    /// One line in English, with the path that is concerned.
    package var description: String {
        switch self {
        case .busy(let root): "another process synchronises \(root)"
        case .newer(let path): "\(path) was written by a newer version of Tondo"
        case .file(let error): error.action == .write ? "\(error)" : "\(error.path) \(error)"
        }
    }

    /// Runs a call, and turns whatever it throws into a `MirrorError`.
    static func converting<Result>(
        _ action: FileError.Action = .write, at path: FilePath, body: () throws -> Result
    ) throws(MirrorError) -> Result {
        do { return try body() } catch let error as MirrorError { throw error } catch let error as FileError {
            throw .file(error)
        } catch { throw .file(FileError(action, path: path, errno: (error as? Errno) ?? .ioError)) }
    }
}

package import SystemPackage

/// Why a cache cannot be used, or not for an operation. Every case has a stable `code` for scripts.
package enum CacheError: Error, Equatable, Sendable {
    /// There is no cache at this path, and none was to be created.
    case missing(FilePath)
    /// The folder is not a cache: it holds other files, or a link in the place of a folder of the cache.
    case notCache(FilePath, reason: String)
    /// Created by a newer Tondo.
    case newerVersion(FilePath, found: String)
    /// The folder or its disk is read-only.
    case readOnly(FilePath)
    /// The disk, the quota or the largest file size is used up.
    case full(FilePath)
    /// The bytes are not an avatar whose recipe belongs to the key.
    case wrongRecipe(CacheKey)
    /// A system call failed.
    case system(FilePath, Errno)
    /// The index cannot be used although the files exist; other processes may lock it for too long.
    case index(FilePath, reason: String)

    /// Words joined by hyphens, beginning with `cache-`. They are part of the contract with scripts and never change.
    package var code: String {
        switch self {
        case .missing: "cache-missing"
        case .notCache: "cache-foreign"
        case .newerVersion: "cache-newer"
        case .readOnly: "cache-read-only"
        case .full: "cache-full"
        case .wrongRecipe: "cache-recipe"
        case .system: "cache-file"
        case .index: "cache-index"
        }
    }
}

extension CacheError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing(let path): "\(path): no cache in this folder"
        case .notCache(let path, let reason): "\(path): not a cache: \(reason)"
        case .newerVersion(let path, let found):
            "\(path): created by a newer Tondo (layout \(found), this version supports \(CacheFolder.version)); left untouched"
        case .readOnly(let path): "\(path): is forbidden or read-only"
        case .full(let path): "\(path): no space left"
        case .wrongRecipe(let key): "\(key): not an avatar with this key's recipe"
        case .system(let path, let errno): "\(path): \(errno.lowercased)"
        case .index(let path, let reason): "\(path): the index cannot be used: \(reason)"
        }
    }

    var isFull: Bool {
        if case .full = self { return true }
        return false
    }

    /// The meaning of `errno` for a cache.
    init(_ errno: Errno, at path: FilePath) {
        self =
            switch errno {
            case .noSpace, .diskQuotaExceeded, .fileTooLarge: .full(path)
            case .noSuchFileOrDirectory: .missing(path)
            case .readOnlyFileSystem, .permissionDenied, .notPermitted: .readOnly(path)
            default: .system(path, errno)
            }
    }

    /// `error`: a cache error, which stays as it is, or one of a system call.
    init(_ error: any Error, at path: FilePath) {
        self = error as? CacheError ?? CacheError(error as? Errno ?? .ioError, at: path)
    }
}

extension Errno {
    /// Whether a retry may succeed soon, so that the error does not concern the file.
    var isTransient: Bool { [.tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory, .interrupted].contains(self) }

    var lowercased: String { description.prefix(1).lowercased() + description.dropFirst() }
}

/// Problems that the cache found and repaired, or limits of what it can do, reported once each.
package enum CacheNotice: Equatable, Sendable {
    /// An entry was removed because its bytes were damaged.
    case damaged(CacheKey, reason: String)
    /// The index was rebuilt from the files.
    case rebuilt(reason: String, entries: Int)
    /// Nothing is stored for now; hits are served as before.
    case stoppedStoring(CacheError)
    /// Rows are kept for a later flush.
    case indexPostponed(CacheError)
    /// The cache exceeds its limit and stays so.
    case cannotMakeRoom(CacheError)
}

extension CacheNotice: CustomStringConvertible {
    package var description: String {
        switch self {
        case .damaged(let key, let reason): "removed a damaged entry (\(reason)): \(key)"
        case .rebuilt(let reason, let entries): "the index was \(reason); rebuilt from \(entries) files"
        case .stoppedStoring(let error): "stopped storing entries: \(error)"
        case .indexPostponed(let error): "\(error); entries stay usable and are added to the index later"
        case .cannotMakeRoom(let error): "eviction is incomplete: \(error)"
        }
    }
}

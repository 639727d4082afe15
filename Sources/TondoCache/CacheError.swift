package import SystemPackage

/// Why a cache cannot be used, or not for this. Every case has a stable `code` for scripts.
package enum CacheError: Error, Equatable, Sendable {
    /// There is no cache at this place, and none was to be made.
    case missing(FilePath)
    /// The folder is something else: it holds other files, or a link where a folder of the cache belongs.
    case notCache(FilePath, reason: String)
    /// Made by a newer Tondo.
    case newerVersion(FilePath, found: String)
    /// The folder or its disk takes no changes.
    case readOnly(FilePath)
    /// No room is left on the disk, in the quota, or below the largest file size.
    case full(FilePath)
    /// The bytes are no PNG whose recipe belongs to the key.
    case wrongRecipe(CacheKey)
    /// A system call failed.
    case system(FilePath, Errno)
    /// The index cannot be used although its files are there; other processes may hold it for too long.
    case index(FilePath, reason: String)

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
        case .missing(let path): "\(path): there is no cache here"
        case .notCache(let path, let reason): "\(path): not a cache: \(reason)"
        case .newerVersion(let path, let found):
            "\(path): made by a newer Tondo (layout \(found), this one knows \(CacheFolder.version)); left untouched"
        case .readOnly(let path): "\(path): cannot be written"
        case .full(let path): "\(path): no space left"
        case .wrongRecipe(let key): "\(key): not a picture with this key's recipe"
        case .system(let path, let errno): "\(path): \(errno.lowercased)"
        case .index(let path, let reason): "\(path): the index cannot be used: \(reason)"
        }
    }

    var isFull: Bool {
        if case .full = self { return true }
        return false
    }

    /// Tells what `errno` means for a cache.
    init(_ errno: Errno, at path: FilePath) {
        self =
            switch errno {
            case .noSpace, .diskQuotaExceeded, .fileTooLarge: .full(path)
            case .noSuchFileOrDirectory: .missing(path)
            case .readOnlyFileSystem, .permissionDenied, .notPermitted: .readOnly(path)
            default: .system(path, errno)
            }
    }
}

extension Errno {
    /// Whether the same call may well work soon, so that nothing is to be concluded about the file.
    var isPassing: Bool {
        [.tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory, .interrupted].contains(self)
    }

    var lowercased: String { description.prefix(1).lowercased() + description.dropFirst() }
}

/// What the cache found and mended, or can do no longer, told once each.
package enum CacheNotice: Equatable, Sendable {
    /// An entry was removed since its bytes were not what had been stored.
    case damaged(CacheKey, reason: String)
    /// The index was made anew from the files.
    case rebuilt(reason: String, entries: Int)
    /// Nothing is stored for now; hits are served as before.
    case stoppedStoring(CacheError)
    /// Rows are kept for later.
    case indexPostponed(CacheError)
    /// The cache has outgrown its limit and stays so.
    case cannotMakeRoom(CacheError)
}

extension CacheNotice: CustomStringConvertible {
    package var description: String {
        switch self {
        case .damaged(let key, let reason): "removed a damaged entry (\(reason)): \(key)"
        case .rebuilt(let reason, let entries): "the index was \(reason); made anew from \(entries) files"
        case .stoppedStoring(let error): "nothing more is stored: \(error)"
        case .indexPostponed(let error): "\(error); entries stay usable and are listed later"
        case .cannotMakeRoom(let error): "not everything could be removed that had to make room: \(error)"
        }
    }
}

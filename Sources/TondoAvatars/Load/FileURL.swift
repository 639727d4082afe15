internal import FoundationEssentials
internal import SystemPackage
internal import TondoCache
internal import TondoFiles
internal import TondoText

/// `file:` URLs (RFC 8089).
enum FileURL {
    static func text(_ path: FilePath) -> String {
        let path = path.isAbsolute ? path : FilePath(FileManager.default.currentDirectoryPath).pushing(path)
        return "file://" + PercentEncoding.encode(path.bytes, as: .filePath)
    }
}

/// The URLs of a cache's entries. The folder is encoded once, since a load reports thousands of entries.
struct EntryURL: Sendable {
    private let folder: String

    init(_ cache: AvatarCache) { folder = FileURL.text(cache.path) + "/" }

    func text(_ key: CacheKey) -> String { folder + AvatarCache.relativePath(of: key) }
}

internal import FoundationEssentials
internal import SystemPackage
internal import TondoFiles
internal import TondoText

/// `file:` URLs (RFC 8089).
enum FileURL {
    static func text(_ path: FilePath) -> String {
        let path = path.isAbsolute ? path : FilePath(FileManager.default.currentDirectoryPath).pushing(path)
        return "file://" + PercentEncoding.encode(path.bytes, as: .filePath)
    }
}

internal import Glibc
internal import SystemPackage
internal import TondoFiles

/// Distinguishing a cache of this version from other folders. Nothing is changed before that is certain.
extension CacheFolder {
    private static let names: Set<String> = [
        "CACHEDIR.TAG", "VERSION", "objects", "failures", "tmp", "index.sqlite", "index.sqlite-wal",
        "index.sqlite-shm", "index.sqlite-journal",
    ]

    /// Throws unless this is a cache of this version, or a folder where one is to be created, or was partly created.
    static func checkVersion(_ root: Folder, at path: FilePath, isMaking: Bool) throws(CacheError) {
        if isMaking { try checkFolders(root, at: path) }
        if try hasVersion(root, at: path) { return }
        let names: [FilePath.Component]
        do { names = try root.names() } catch { throw CacheError(error, at: path) }
        guard isMaking else { throw names.isEmpty ? .missing(path) : .notCache(path, reason: "it has no VERSION") }
        if let other = foreignEntry(among: names, in: root) {
            // Another process may have created the cache meanwhile.
            if try hasVersion(root, at: path) { return }
            throw .notCache(path, reason: "it holds other files, such as \(other); name an empty folder or a new one")
        }
    }

    private static func checkFolders(_ root: Folder, at path: FilePath) throws(CacheError) {
        for name in folders {
            let state: FileStatus?
            do { state = try root.status(name) } catch { throw CacheError(error, at: path.appending(name)) }
            switch state?.kind {
            case nil, .folder: continue
            case .link: throw .notCache(path, reason: "\(name) is a link")
            default: throw .notCache(path, reason: "\(name) is not a folder")
            }
        }
    }

    private static func hasVersion(_ root: Folder, at path: FilePath) throws(CacheError) -> Bool {
        do {
            let text = try root.text("VERSION", limit: 64)
            let number = text.hasSuffix("\n") ? String(text.dropLast()) : text
            if number == String(version) { return true }
            let isNumber = !number.isEmpty && number.utf8.allSatisfy { (0x30...0x39).contains($0) }
            if isNumber, Int(number) ?? .max > version { throw CacheError.newerVersion(path, found: number) }
            throw CacheError.notCache(path, reason: "its VERSION is not that of a cache")
        } catch Errno.noSuchFileOrDirectory {
            return false
        } catch Errno.tooManySymbolicLinkLevels {
            throw .notCache(path, reason: "VERSION is a link")
        } catch Errno.isDirectory {
            throw .notCache(path, reason: "VERSION is not a file")
        } catch { throw CacheError(error, at: path) }
    }

    /// Two hexadecimal digits.
    private static func isShard(_ name: String) -> Bool {
        name.utf8.count == 2 && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// A name that does not come from creating a cache. With its tag, the folder is a cache that lost its VERSION; else
    /// it may contain only the cache's empty folders, and drafts of the tag and of VERSION.
    private static func foreignEntry(among names: [FilePath.Component], in root: Folder) -> String? {
        let isTagged = (try? root.text("CACHEDIR.TAG", limit: 2 * tag.utf8.count)) == tag
        // A cache that was deleted while a program uses it grows again, without its tag.
        let isRegrown = (try? root.folder("objects").names())?.allSatisfy { isShard($0.string) } == true
        let known = isTagged || isRegrown ? Self.names : Set(folders)
        if let other = names.first(where: { !known.contains($0.string) }) { return other.string }
        if isTagged || names.contains("objects") && isRegrown { return nil }
        for name in folders {
            guard let children = try? root.folder(name).names() else { continue }
            let other = children.first { child in
                name != "tmp" || !["VERSION-", "CACHEDIR.TAG-"].contains { child.string.hasPrefix($0) }
            }
            if let other { return "\(name)/\(other)" }
        }
        return nil
    }
}

extension Folder {
    /// A small file's text; `limit`: bytes, beyond which it is truncated.
    func text(_ name: String, limit: Int) throws -> String {
        let file = try open(name, flags: O_RDONLY)
        return try file.closeAfter {
            String(decoding: try file.readPrefix(limit), as: UTF8.self)
        }
    }
}

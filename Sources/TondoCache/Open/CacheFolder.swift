internal import Glibc
internal import SystemPackage

/// The folder of a cache, layout version 1:
///
///     CACHEDIR.TAG        tells backup programs to pass over it (Cache Directory Tagging Specification)
///     VERSION             "1"
///     objects/ab/KEY.png  the entries, mode 0600
///     failures/KEY        why a photo gave no picture
///     tmp/                files being written, and journals of changes whose rows are not yet in the index
///     index.sqlite        derived from the files
struct CacheFolder: Sendable {
    static let version = 1

    let path: FilePath
    let root: Folder
    let objects: Folder
    let failures: Folder
    let temporary: Folder
    /// It was made just now.
    let isNew: Bool
    /// What processes lock while they use the index.
    let versionFile: FileDescriptor

    static let names: Set<String> = [
        "CACHEDIR.TAG", "VERSION", "objects", "failures", "tmp", "index.sqlite", "index.sqlite-wal",
        "index.sqlite-shm",
    ]
    private static let tag = """
        Signature: 8a477f597d28d172789f06886806bc55
        # This folder holds pictures that Tondo can make again. See https://bford.info/cachedir/

        """

    /// `isMaking`: makes what is missing; else a folder without a cache is an error.
    init(_ path: FilePath, isMaking: Bool) throws(CacheError) {
        self.path = path
        do {
            if isMaking { try Self.makeFolders(path) }
            root = try Folder(path)
        } catch Errno.noSuchFileOrDirectory {
            throw .missing(path)
        } catch Errno.notDirectory {
            throw .notCache(path, reason: "it is not a folder")
        } catch {
            throw CacheError(error, at: path)
        }
        try Self.checkVersion(root, path, isMaking: isMaking)
        objects = try Self.folder("objects", in: root, path, isMaking: isMaking)
        failures = try Self.folder("failures", in: root, path, isMaking: isMaking)
        temporary = try Self.folder("tmp", in: root, path, isMaking: isMaking)
        isNew = isMaking ? try Self.writeMissing(root, temporary, path) : false
        do { versionFile = try root.open("VERSION", O_RDONLY) } catch { throw CacheError(error, at: path) }
    }

    /// `mkdir -p`, for the user alone.
    private static func makeFolders(_ path: FilePath) throws(Errno) {
        let status = path.withPlatformString { mkdir($0, 0o700) }
        if status == 0 || errno == EEXIST || errno == EISDIR || errno == EROFS { return }
        guard errno == ENOENT else { throw Errno(rawValue: errno) }
        let parent = path.removingLastComponent()
        guard parent != path, !parent.isEmpty else { throw .noSuchFileOrDirectory }
        try makeFolders(parent)
        if path.withPlatformString({ mkdir($0, 0o700) }) != 0, errno != EEXIST { throw Errno(rawValue: errno) }
    }

    /// Nothing is changed before it is sure that this is a cache of this version, or an empty place for one.
    private static func checkVersion(_ root: Folder, _ path: FilePath, isMaking: Bool) throws(CacheError) {
        do {
            let text = try root.text("VERSION", limit: 64)
            let number = text.hasSuffix("\n") ? String(text.dropLast()) : text
            if number == String(version) { return }
            if let found = Int(number), found > version { throw CacheError.newerVersion(path, found: number) }
            throw CacheError.notCache(path, reason: "its VERSION is not one of a cache")
        } catch Errno.noSuchFileOrDirectory {
        } catch let error as CacheError {
            throw error
        } catch Errno.tooManySymbolicLinkLevels {
            throw .notCache(path, reason: "VERSION is a link")
        } catch let error as Errno {
            throw CacheError(error, at: path)
        } catch { throw .notCache(path, reason: "\(error)") }
        let names: [FilePath.Component]
        do { names = try root.names() } catch { throw CacheError(error, at: path) }
        guard isMaking else {
            throw names.isEmpty ? .missing(path) : .notCache(path, reason: "it has no VERSION")
        }
        if let other = names.first(where: { !Self.names.contains($0.string) }) {
            throw .notCache(path, reason: "it holds other files, such as \(other); name an empty folder or a new one")
        }
    }

    private static func folder(
        _ name: String, in root: Folder, _ path: FilePath, isMaking: Bool
    ) throws(CacheError) -> Folder {
        do throws(Errno) {
            if isMaking, try root.status(name) == nil { try root.makeFolder(name) }
            return try root.folder(name)
        } catch .tooManySymbolicLinkLevels {
            throw .notCache(path, reason: "\(name) is a link")
        } catch .notDirectory {
            throw .notCache(path, reason: "\(name) is not a folder")
        } catch {
            throw CacheError(error, at: path.appending(name))
        }
    }

    /// VERSION comes last: what has one is complete.
    private static func writeMissing(_ root: Folder, _ temporary: Folder, _ path: FilePath) throws(CacheError) -> Bool {
        do {
            let isNew = try root.status("VERSION") == nil
            for (name, text) in [("CACHEDIR.TAG", tag), ("VERSION", "\(version)\n")]
            where try root.status(name) == nil {
                let draft = "\(name)-\(TemporaryName.random())"
                let file = try temporary.open(draft, O_WRONLY | O_CREAT | O_EXCL, mode: 0o644)
                do {
                    try file.closeAfter { _ = try file.writeAll(text.utf8) }
                    try temporary.rename(draft, to: root, name)
                } catch {
                    try? temporary.remove(draft)
                    throw error
                }
            }
            return isNew
        } catch let error as Errno {
            throw CacheError(error, at: path)
        } catch { throw .notCache(path, reason: "\(error)") }
    }
}

extension Folder {
    /// A small file's text; `limit`: bytes, beyond which it is cut off.
    func text(_ name: String, limit: Int) throws -> String {
        let file = try open(name, O_RDONLY)
        return try file.closeAfter {
            try String(unsafeUninitializedCapacity: limit) { try file.read(into: UnsafeMutableRawBufferPointer($0)) }
        }
    }
}

/// Names in `tmp/`.
enum TemporaryName {
    /// 16 hexadecimal digits.
    static func random() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

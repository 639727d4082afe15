import Glibc
import SystemPackage
import TondoAvatars
import TondoCache
import TondoConfiguration
import TondoFiles
import TondoServer
import TondoText

/// Books, cache, token and free space, as the user of this process may use them. Nothing is written.
extension DoctorReport {
    mutating func checkBooks(_ configuration: ServiceConfiguration) {
        let (books, origin) = (configuration.books.value, configuration.books.origin)
        if configuration.servedBooks.isEmpty {
            warn("books", "no book is configured", advice: "books = [\"~/.contacts\"], or tondo sync add")
        }
        for book in books {
            do throws(Errno) {
                guard let status = try FileStatus.found(at: book) else { throw .noSuchFileOrDirectory }
                try check(book, isFolder: status.kind == .folder)
            } catch {
                let advice = error == .noSuchFileOrDirectory ? "create it" : "let \(Self.user) read it"
                problem("books", "\(book): \(error)", advice: "\(advice), or correct books (\(origin))")
            }
        }
    }

    private mutating func check(_ book: FilePath, isFolder: Bool) throws(Errno) {
        try Self.require(isFolder ? R_OK | X_OK : R_OK, of: book)
        let names = isFolder ? FolderNames.first(in: book, most: 256) : []
        let closed = names.map { book.appending($0.name) }.filter { Self.denial(R_OK, of: $0) != nil }
        if let first = closed.first {
            let more = closed.count == 1 ? "" : " and \(closed.count - 1) more"
            return warn("books", "\(first)\(more): cannot be read", advice: "let \(Self.user) read them")
        }
        let isWritable = Self.denial(W_OK, of: book) == nil
        ok("books", "\(book)" + (isWritable ? "" : ", read only: its contacts and photos cannot be changed"))
    }

    /// Returns the folder that has to have room; nil: there is none.
    mutating func checkCache(_ configuration: ServiceConfiguration) -> FilePath? {
        guard let path = configuration.cacheFolder.value ?? configuration.standardCacheFolder else {
            warn("cache", "neither XDG_CACHE_HOME nor HOME is set: nothing is kept", advice: "set cache-dir")
            return nil
        }
        var options = AvatarCache.Options()
        options.isMaking = false
        options.maxSize = nil
        do throws(CacheError) {
            let cache = try AvatarCache(path, options: options)
            defer { cache.close() }
            if cache.isReadOnly {
                problem("cache", "\(path): read only: nothing is kept", advice: "let \(Self.user) write it")
            } else {
                ok("cache", "\(path)")
            }
        } catch {
            switch error {
            case .missing: checkPlace(path, for: "cache")
            case .notCache, .newerVersion:
                problem("cache", "\(error)", advice: "name another folder with cache-dir")
            default: problem("cache", "\(error)", advice: "let \(Self.user) read and write it, or remove it")
            }
        }
        return path
    }

    mutating func checkToken(_ configuration: ServiceConfiguration) -> FilePath? {
        guard let path = configuration.tokenFile.value ?? configuration.standardTokenFile else {
            warn("token", "neither XDG_STATE_HOME nor HOME is set: there is no token", advice: "set token-file")
            return nil
        }
        if configuration.tokenFile.value == nil, FileStatus(path, followingLinks: false) == nil {
            checkPlace(path, for: "token")
            return path
        }
        do throws(AccessToken.Failure) {
            _ = try AccessToken(file: path.string)
            ok("token", "\(path)")
        } catch {
            let advice =
                error == .exposed
                ? "chmod 600 \(path), as its owner" : "let \(Self.user) read it, or correct token-file"
            problem("token", "\(path): it \(ServiceComponents.reason(error))", advice: advice)
        }
        return path
    }

    /// What does not exist yet is created below the nearest folder that does.
    private mutating func checkPlace(_ path: FilePath, for check: String) {
        let folder = Self.existing(path)
        guard let error = Self.denial(W_OK | X_OK, of: folder) else {
            return ok(check, "\(path): created when it is needed")
        }
        problem(check, "\(path): cannot be created in \(folder): \(error)", advice: "let \(Self.user) write \(folder)")
    }
}

/// Free space.
extension DoctorReport {
    /// Bytes: with less, next to nothing can be stored.
    private static let (least, few) = (32_000_000, 200_000_000)

    /// `paths`: what is written there need not exist. Two paths on one file system are checked once.
    mutating func checkSpace(_ paths: [FilePath]) {
        var seen: Set<UInt64> = []
        for folder in paths.map(Self.existing) {
            guard let device = FileIdentity(folder)?.device, seen.insert(device).inserted else { continue }
            checkSpace(of: folder)
        }
        if seen.isEmpty { skip("disk", because: "no folder is written") }
    }

    private mutating func checkSpace(of folder: FilePath) {
        var status = statvfs()
        guard folder.withPlatformString({ statvfs($0, &status) }) == 0 else {
            return skip("disk", because: "\(folder): \(Errno(rawValue: errno))")
        }
        let free = Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
        let text = "\(folder): \(ByteAmount.text(free)) free"
        let advice = "make room; tondo cache prune --max-size makes the cache smaller"
        if status.f_files > 0, status.f_favail == 0 {
            problem("disk", "\(folder): no file can be created: all inodes are in use", advice: advice)
        } else if free < Self.least {
            problem("disk", text, advice: advice)
        } else if free < Self.few {
            warn("disk", text, advice: advice)
        } else {
            ok("disk", text)
        }
    }
}

extension DoctorReport {
    private static func existing(_ path: FilePath) -> FilePath {
        var path = path.absolute
        while FileStatus(path) == nil, path.removeLastComponent() {}
        return path
    }

    private static func denial(_ mode: Int32, of path: FilePath) -> Errno? {
        path.withPlatformString { access($0, mode) } == 0 ? nil : Errno(rawValue: errno)
    }

    private static func require(_ mode: Int32, of path: FilePath) throws(Errno) {
        if let error = denial(mode, of: path) { throw error }
    }

    /// For a sentence: the checks are made by this user, and a service may run as another one.
    private static var user: String { "the user '\(UserName.of(geteuid()))'" }
}

enum UserName {
    /// The number of a user without a name.
    static func of(_ user: uid_t) -> String { getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "\(user)" }
}

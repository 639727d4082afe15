import ArgumentParser
import Glibc
import SystemPackage
import TondoCache

/// Where the cache is.
struct CacheLocation: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The cache's folder (default: $XDG_CACHE_HOME/tondo, else ~/.cache/tondo).", valueName: "folder"),
        completion: .directory)
    var cacheDir: String?

    func validate() throws {
        if cacheDir == "" { throw ValidationError("--cache-dir needs a name.") }
    }

    /// Nil when no folder was named and the environment tells none.
    func path(_ arguments: inout RawArguments) -> FilePath? {
        cacheDir.map { arguments.path($0) } ?? Self.standard { getenv($0).map { FilePath(platformString: $0) } }
    }

    /// The folder of the XDG Base Directory Specification, version 0.8: relative paths do not count.
    static func standard(_ variable: (String) -> FilePath?) -> FilePath? {
        if let folder = variable("XDG_CACHE_HOME"), folder.isAbsolute { return folder.appending("tondo") }
        guard let home = variable("HOME"), home.isAbsolute else { return nil }
        return home.appending(".cache").appending("tondo")
    }

    /// Opens the cache, or says why not and ends. `isMaking`: makes one when there is none.
    func open(
        _ arguments: inout RawArguments, isMaking: Bool = false, maxSize: Int? = nil
    ) throws -> AvatarCache {
        guard let path = path(&arguments) else {
            Terminal.complain("there is neither XDG_CACHE_HOME nor HOME; name the cache's folder with --cache-dir")
            throw ExitCode.cacheUnusable
        }
        var options = AvatarCache.Options()
        options.isMaking = isMaking
        options.maxSize = maxSize
        options.notice = { Terminal.complain("cache: \($0)") }
        return try CacheFailure.telling { try AvatarCache(path, options) }
    }
}

/// Ends a command over an error of the cache.
enum CacheFailure {
    static func telling<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as CacheError {
            Terminal.complain("cache: \(error)")
            throw error.exitCode
        }
    }
}

extension CacheError {
    var exitCode: ExitCode {
        switch self {
        case .missing, .notCache, .newerVersion: .cacheUnusable
        default: .inputOutput
        }
    }
}

/// Statuses of sysexits(3).
extension ExitCode {
    /// No cache there, or none that this Tondo can use (EX_NOINPUT).
    static let cacheUnusable = ExitCode(66)
    /// Reading or writing failed (EX_IOERR).
    static let inputOutput = ExitCode(74)
}

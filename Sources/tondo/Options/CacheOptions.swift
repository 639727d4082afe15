import ArgumentParser
import Glibc
import SystemPackage
import TondoAvatars
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
        cacheDir.map { arguments.path($0) } ?? CachePlace.standard
    }

    /// The cache to ask, or the end of the command with the reason.
    func open(_ arguments: inout RawArguments) throws -> AvatarCache {
        let path = try requiredPath(&arguments)
        do { return try AvatarCache(path, Self.options(isMaking: false)) } catch {
            Terminal.complain("cache: \(error)")
            throw ExitCode.cacheUnusable
        }
    }

    /// Like `path`; to name none where the environment tells none ends the command.
    func requiredPath(_ arguments: inout RawArguments) throws -> FilePath {
        if let path = path(&arguments) { return path }
        Terminal.complain("there is neither XDG_CACHE_HOME nor HOME; name the cache's folder with --cache-dir")
        throw ExitCode.cacheUnusable
    }

    /// A cache to draw with, made if there is none. Nil and a warning where it cannot be used: that costs time and no
    /// avatar. A folder that holds something else, or a newer Tondo's cache, ends the command: the name was wrong.
    /// `path`: nil when neither an option nor the environment names a folder.
    static func openForDrawing(_ path: FilePath?, maxSize: Int) throws -> AvatarCache? {
        guard let path else {
            warn("there is neither XDG_CACHE_HOME nor HOME; name its folder with --cache-dir")
            return nil
        }
        var options = options(isMaking: true)
        options.maxSize = maxSize
        do { return try AvatarCache(path, options) } catch {
            switch error {
            case .notCache, .newerVersion:
                Terminal.complain("cache: \(error)")
                throw ExitCode.cacheUnusable
            case .missing: warn("\(path): cannot be made")
            default: warn("\(error)")
            }
            return nil
        }
    }

    private static func warn(_ reason: String) {
        Terminal.complain("warning: cache: \(reason); going on without it")
    }

    private static func options(isMaking: Bool) -> AvatarCache.Options {
        var options = AvatarCache.Options()
        options.isMaking = isMaking
        options.maxSize = nil
        options.notice = { Terminal.complain("cache: \($0)") }
        return options
    }
}

/// Ends a command over an error of an open cache.
enum CacheFailure {
    static func telling<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as CacheError {
            Terminal.complain("cache: \(error)")
            throw ExitCode.inputOutput
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

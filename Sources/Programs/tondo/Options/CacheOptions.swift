import ArgumentParser
import Glibc
import SystemPackage
import TondoAvatars
import TondoCache

/// The path of the cache folder.
struct CacheLocation: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The cache folder (default: $XDG_CACHE_HOME/tondo, else ~/.cache/tondo).", valueName: "folder"),
        completion: .directory)
    var cacheDir: String?

    func validate() throws {
        if cacheDir == "" { throw ValidationError("--cache-dir needs a name.") }
    }

    /// Nil if neither an option nor the environment names a folder.
    func path(_ arguments: inout RawArguments) -> FilePath? {
        cacheDir.map { arguments.path($0) } ?? CacheDirectory.standard
    }

    /// The existing cache, or the end of the command with the reason.
    func open(_ arguments: inout RawArguments) throws -> AvatarCache {
        let path = try requiredPath(&arguments)
        do { return try AvatarCache(path, options: Self.options(isMaking: false)) } catch {
            let hint =
                if case .missing = error { "; 'tondo load BOOK' or 'tondo convert --cache' creates one" } else { "" }
            Terminal.reportError("cache: \(error)\(hint)")
            throw ExitCode.cacheUnusable
        }
    }

    /// Like `path`, but ends the command if there is no path.
    func requiredPath(_ arguments: inout RawArguments) throws -> FilePath {
        if let path = path(&arguments) { return path }
        Terminal.reportError("neither XDG_CACHE_HOME nor HOME is set; name the cache folder with --cache-dir")
        throw ExitCode.cacheUnusable
    }

    /// A cache to draw with, created if there is none. If it cannot be used: nil and a warning, since that costs only
    /// time. A folder with other files, or a cache of a newer Tondo, ends the command: the path was wrong. `path`: nil
    /// if neither an option nor the environment names a folder.
    static func openForDrawing(_ path: FilePath?, maxSize: Int) throws -> AvatarCache? {
        guard let path else {
            warn("neither XDG_CACHE_HOME nor HOME is set; name its folder with --cache-dir")
            return nil
        }
        var options = options(isMaking: true)
        options.maxSize = maxSize
        do { return try AvatarCache(path, options: options) } catch {
            switch error {
            case .notCache, .newerVersion:
                Terminal.reportError("cache: \(error)")
                throw ExitCode.cacheUnusable
            case .missing: warn("\(path): cannot be created")
            default: warn("\(error)")
            }
            return nil
        }
    }

    private static func warn(_ reason: String) {
        Terminal.reportError("warning: cache: \(reason); continuing without it")
    }

    private static func options(isMaking: Bool) -> AvatarCache.Options {
        var options = AvatarCache.Options()
        options.isMaking = isMaking
        options.maxSize = nil
        options.notice = { Terminal.reportError("cache: \($0)") }
        return options
    }
}

/// Ends a command after an error of an open cache.
enum CacheFailure {
    static func reporting<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as CacheError {
            Terminal.reportError("cache: \(error)")
            throw ExitCode.inputOutput
        }
    }
}

/// Statuses of sysexits(3).
extension ExitCode {
    /// No cache at the path, or one that this Tondo cannot use (EX_NOINPUT).
    static let cacheUnusable = ExitCode(66)
    /// Reading or writing failed (EX_IOERR).
    static let inputOutput = ExitCode(74)
}

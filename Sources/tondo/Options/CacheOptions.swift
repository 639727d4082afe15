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

    /// A cache to draw with, made if there is none. Where it can only not be made, nil: that costs no picture. A folder
    /// that is something else ends the command.
    static func openForDrawing(_ path: FilePath, maxSize: Int) throws -> AvatarCache? {
        var options = options(isMaking: true)
        options.maxSize = maxSize
        do { return try AvatarCache(path, options) } catch {
            switch error {
            case .missing: Terminal.complain("cache: \(path): cannot be made; going on without")
            case .full, .readOnly: Terminal.complain("cache: \(error); going on without")
            default:
                Terminal.complain("cache: \(error)")
                throw ExitCode.cacheUnusable
            }
            return nil
        }
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

import ArgumentParser
import Glibc
import SystemPackage
import TondoAvatars

/// Where removed contacts are kept.
struct TrashLocation: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The trash folder (default: $XDG_DATA_HOME/tondo/trash, else ~/.local/share/tondo/trash).",
            valueName: "folder"),
        completion: .directory)
    var trash: String?

    func validate() throws {
        if trash == "" { throw ValidationError("--trash needs a name.") }
    }

    /// Nil if the environment names none.
    static var standard: Trash? {
        Trash.standard { getenv($0).map { FilePath(platformString: $0) } }.map { Trash($0) }
    }

    /// Ends the command if neither the option nor the environment names one.
    func trash(_ arguments: inout RawArguments) throws -> Trash {
        if let trash { return Trash(arguments.path(trash)) }
        if let standard = Self.standard { return standard }
        Terminal.reportError("neither XDG_DATA_HOME nor HOME is set; name the trash with --trash")
        throw ExitCode.bookUnreadable
    }
}

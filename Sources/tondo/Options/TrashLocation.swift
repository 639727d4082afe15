import ArgumentParser
import Glibc
import SystemPackage
import TondoAvatars

/// Where removed contacts are kept.
struct TrashLocation: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The trash (default: $XDG_DATA_HOME/tondo/trash, else ~/.local/share/tondo/trash).", valueName: "folder"),
        completion: .directory)
    var trash: String?

    func validate() throws {
        if trash == "" { throw ValidationError("--trash needs a name.") }
    }

    /// To name none where the environment tells none ends the command.
    func trash(_ arguments: inout RawArguments) throws -> Trash {
        let standard = Trash.standard { getenv($0).map { FilePath(platformString: $0) } }
        if let folder = trash.map({ arguments.path($0) }) ?? standard { return Trash(folder) }
        Terminal.complain("there is neither XDG_DATA_HOME nor HOME; name the trash with --trash")
        throw ExitCode.bookUnreadable
    }
}

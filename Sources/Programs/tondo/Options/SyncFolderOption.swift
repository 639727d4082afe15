import ArgumentParser
import SystemPackage
import TondoFiles
import TondoMirror

/// The folder of `tondo sync`, for commands that read no configuration.
struct SyncFolderOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The folder of 'tondo sync', whose fetched photos stand for URLs (default: $XDG_STATE_HOME/tondo/sync, else \
            ~/.local/state/tondo/sync).
            """, valueName: "folder"), completion: .directory)
    var syncDir: String?

    func validate() throws {
        if syncDir == "" { throw ValidationError("--sync-dir needs a name.") }
    }

    /// See `AvatarPipeline.Options`.
    func fetchedPhotos(_ arguments: inout RawArguments) -> FilePath? {
        let folder = syncDir.map { arguments.path($0) } ?? MirrorLayout.standardFolder(.process)
        return folder.map { FetchedPhotos.folder(in: FetchedPhotos.root(in: $0)) }
    }
}

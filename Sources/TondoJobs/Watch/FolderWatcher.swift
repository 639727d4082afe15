internal import Dispatch
internal import Glibc

/// Tells what changes in a folder and everything below it, or of one file, by inotify(7).
///
/// When the initialiser returns, everything is watched: whoever reads the folder afterwards misses nothing. Changes are
/// collected until it was quiet for `settle`, and told as a set: a file that was written, replaced, and touched is
/// changed once; a temporary file that came and went is not told. Only a known file that is replaced by a rename, which
/// is how a whole file comes, is told at once after a `calm`. Without changes nothing wakes up.
///
/// Links below the folder count as files. What they lead to is watched, too, as long as it lies inside the folder: a
/// change of it is a change of the link. The folder itself may be a link, or be reached by some: one that is exchanged
/// ends the watcher. A rename of a folder above is not noticed; a folder that was not watched because of a limit is not
/// watched later.
/// The events of one watcher come one after the other on a Dispatch thread, outside every lock, and one that blocks
/// holds up the next.
package final class FolderWatcher: Sendable {
    package struct Options: Sendable {
        /// How long it has to be quiet.
        package var settle = Duration.milliseconds(200)
        /// After so long changes are told although it is not quiet.
        package var longest = Duration.seconds(2)
        /// A file that a rename replaced is told at once only if nothing changed for so long before: else it is one of
        /// many.
        package var calm = Duration.milliseconds(250)
        package var ignored = Ignored()
        /// Folders that are watched at most. The kernel has a limit for each user, too.
        package var maxWatches = Int.max

        package init() {}
    }

    let session: WatchSession

    /// Watches a folder, or a file through the folder it is in. Blocks while it lists all folders once.
    package init(
        _ path: String, _ options: Options = Options(), event: @escaping @Sendable (Event) -> Void
    ) throws(WatchError) {
        let resolved = realpath(path, nil)
        guard let resolved else { throw .unreadable(path: path, errno: errno) }
        defer { free(resolved) }
        var status = stat()
        guard stat(resolved, &status) == 0 else { throw .unreadable(path: path, errno: errno) }
        var root = Array(UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map { UInt8(bitPattern: $0) })
        var scope = WatchTree.Scope.everything
        if status.st_mode & S_IFMT != S_IFDIR, let slash = root.lastIndex(of: UInt8(ascii: "/")) {
            scope = .file(Array(root[(slash + 1)...]))
            root.removeSubrange(max(slash, 1)...)
        }
        session = try WatchSession(root, scope, options, named: Array(path.utf8), tell: event)
    }

    deinit { session.stopLater() }

    /// Ends watching and gives back every descriptor. No event begins after this returns; called by an event, none
    /// follows that one.
    package func close() { session.stop() }
}

internal import Dispatch
internal import Glibc
internal import SystemPackage

/// Reports changes in a folder and its sub-folders, or of one file, by inotify(7).
///
/// When the initialiser returns, everything is watched: a reader that starts afterwards misses nothing. Changes are
/// debounced for `debounceDelay`, and reported as a set: a file that was written, replaced, and touched changed once; a
/// temporary file that was created and deleted is not reported. Only a known file that is replaced by a rename, which
/// is how a complete file comes, is reported at once after a quiet period (`quietPeriod`). Without changes nothing runs.
///
/// Links below the folder count as files. Their targets are watched, too, as long as they are inside the folder: a
/// change of a target is a change of the link. The folder itself may be a link, or be reached by some: one that is
/// exchanged ends the watcher. A rename of a parent folder is not noticed; a folder that was not watched because of a
/// limit is not watched later. The events of one watcher come one after the other on a Dispatch thread, outside every
/// lock, and one that blocks holds up the next.
///
/// ```swift
/// let watcher = try FolderWatcher("contacts") { event in print(event) }
/// watcher.close()
/// ```
package final class FolderWatcher: Sendable {
    /// The times and limits of one watcher, which reads them once, at its start.
    package struct Options: Sendable {
        /// The debounce interval.
        package var debounceDelay = Duration.milliseconds(200)
        /// The maximum delay of changes while further ones arrive.
        package var longest = Duration.seconds(2)
        /// A file that a rename replaced is reported at once only if nothing changed for this long before: else it may
        /// be one of many.
        package var quietPeriod = Duration.milliseconds(250)
        /// Names that are neither watched nor reported, except for the files of `include`.
        package var ignored = Ignored()
        /// The maximum number of watched folders. The kernel has a limit for each user, too.
        package var maxWatches = Int.max

        package init() {}
    }

    let session: WatchSession

    /// Watches a folder, or a file through its folder. Blocks while it lists all folders once.
    package init(
        _ path: String, options: Options = Options(), event: @escaping @Sendable (Event) -> Void
    ) throws(WatchError) {
        let named = FilePath(path)
        guard let real = named.real, let status = FileStatus(real) else { throw .unreadable(path: path, errno: errno) }
        var root = real.bytes
        var scope = WatchTree.Scope.everything
        if status.kind != .folder, let slash = root.lastIndex(of: UInt8(ascii: "/")) {
            scope = .file(Array(root[(slash + 1)...]))
            root.removeSubrange(max(slash, 1)...)
        }
        session = try WatchSession(
            root: root, scope: scope, options: options, named: named.absolute.bytes, onEvent: event)
    }

    /// Reports these files, too, whatever `ignored` says of their names and folders: paths relative to the watched folder,
    /// inside it. Replaces those of an earlier call. Each new one that exists is reported as changed once, since it may
    /// have changed before it was watched. For a watched file: files beside it, or in sub-folders.
    package func include(_ files: Set<String>) { session.include(Self.paths(files)) }

    /// Adds and removes a few files, at the cost of these alone.
    package func include(_ new: Set<String>, excluding old: Set<String>) {
        session.include(Self.paths(new), excluding: Self.paths(old))
    }

    private static func paths(_ files: Set<String>) -> Set<RelativePath> { Set(files.map { RelativePath($0) }) }

    deinit { session.stopLater() }

    /// Ends watching and closes every descriptor. No event begins after this returns; if an event handler calls it,
    /// none follows that event.
    package func close() { session.stop() }
}

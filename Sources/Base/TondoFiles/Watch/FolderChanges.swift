/// Files that changed since the last report, by their paths relative to the watched folder, such as `family/ada.vcf`.
/// Folders are not listed, only the files in them.
package struct FolderChanges: Equatable, Sendable {
    /// Files that exist now and did not at the last report: created, or moved into the folder.
    package var added: Set<String>
    /// Written, replaced, or touched; the bytes may be unchanged. For a link: the link itself, or its target.
    package var changed: Set<String>
    /// Files that existed at the last report and do not now: deleted, or moved out of the folder.
    package var removed: Set<String>

    package init(added: Set<String> = [], changed: Set<String> = [], removed: Set<String> = []) {
        self.added = added
        self.changed = changed
        self.removed = removed
    }

    package var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }
}

extension FolderWatcher {
    /// What a watcher reports, one event after the other, on a Dispatch thread.
    package enum Event: Equatable, Sendable {
        case changed(FolderChanges)
        /// Some changes are unknown: read everything again. The watcher continues. Each of several reasons is reported.
        case rescanNeeded(Reason)
        /// Nothing follows. All files count as removed and were reported before, except for `exchanged`.
        case ended(Ending)
    }

    /// Why some changes are unknown.
    package enum Reason: String, CaseIterable, Sendable {
        /// More events at once than the kernel queues.
        case overflow
        /// The kernel, or `maxWatches`, permits no more watches: some folders are not watched.
        case watchLimit = "watch-limit"
        /// A folder cannot be watched or listed, perhaps for lack of permission.
        case unreadable
        /// A file system below the folder was unmounted.
        case unmounted
        /// A name is not UTF-8.
        case strangeName = "strange-name"
    }

    /// Why a watcher reports nothing more.
    package enum Ending: String, Sendable {
        case removed, moved, unmounted
        /// A link in the path of the folder leads to another folder now.
        case exchanged
    }

    /// Names of files and folders that are neither watched nor reported.
    package struct Ignored: Equatable, Sendable {
        /// Names that begin with a dot.
        package var hidden: Bool
        /// Such as `.tmp`, in ASCII, ignoring letter case.
        package var suffixes: [String]

        package init(hidden: Bool = false, suffixes: [String] = []) {
            self.hidden = hidden
            self.suffixes = suffixes
        }

        func contains(_ name: [UInt8]) -> Bool {
            if hidden, name.first == UInt8(ascii: ".") { return true }
            return suffixes.contains { suffix in
                let end = name.suffix(suffix.utf8.count)
                return end.count == suffix.utf8.count && zip(end, suffix.utf8).allSatisfy(Self.isSame)
            }
        }

        private static func isSame(_ left: UInt8, as right: UInt8) -> Bool {
            let isLetter = (left | 32) >= UInt8(ascii: "a") && (left | 32) <= UInt8(ascii: "z")
            return left == right || isLetter && left | 32 == right | 32
        }
    }
}

/// Why a folder cannot be watched. `errno` is the system's number.
package enum WatchError: Error, Equatable, Sendable {
    /// No such file or folder, or an unreadable one.
    case unreadable(path: String, errno: Int32)
    /// inotify permits no more instances, or no more watches at all.
    case unavailable(errno: Int32)

    /// Stable, for scripts and logs.
    package var code: String {
        switch self {
        case .unreadable: "watch-unreadable"
        case .unavailable: "watch-unavailable"
        }
    }
}

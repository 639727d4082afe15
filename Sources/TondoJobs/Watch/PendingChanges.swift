/// A file by its folder and its name.
struct FilePlace: Hashable, Sendable {
    let folder: RelativePath
    let name: [UInt8]

    var path: RelativePath { folder.appending(name) }
}

/// What happened since the last report: of each file that was touched, whether it was there before.
struct PendingChanges: Sendable {
    struct Report: Equatable, Sendable {
        var changes = FolderChanges()
        var reasons: Set<FolderWatcher.Reason> = []
    }

    private var existed: [FilePlace: Bool] = [:]
    private var reasons: Set<FolderWatcher.Reason> = []
    /// Nothing is known but files that were there and were replaced by a rename: such a file is written to its end.
    private(set) var isWhole = true

    var isEmpty: Bool { existed.isEmpty && reasons.isEmpty }

    /// Only the first time counts: later ones start from what was not told yet.
    mutating func note(_ file: FilePlace, existed: Bool, isReplaced: Bool) {
        isWhole = isWhole && existed && isReplaced
        if self.existed[file] == nil { self.existed[file] = existed }
    }

    mutating func rescan(_ reason: FolderWatcher.Reason) {
        isWhole = false
        reasons.insert(reason)
    }

    /// What is there so far is nothing new.
    mutating func forgetFiles() {
        existed = [:]
        isWhole = reasons.isEmpty
    }

    /// What came of it, told by what is there now.
    func report(isThere: (FilePlace) -> Bool) -> Report {
        var report = Report(reasons: reasons)
        for (file, existed) in existed {
            let exists = isThere(file)
            guard existed || exists else { continue }
            guard let path = file.path.string else {
                report.reasons.insert(.strangeName)
                continue
            }
            switch (existed, exists) {
            case (true, true): report.changes.changed.insert(path)
            case (true, false): report.changes.removed.insert(path)
            case (false, _): report.changes.added.insert(path)
            }
        }
        return report
    }
}

/// A file by its folder and its name.
struct FilePlace: Hashable, Sendable {
    let folder: RelativePath
    let name: [UInt8]

    var path: RelativePath { folder.appending(name) }
}

/// What happened since the last report, by each file that was touched.
struct PendingChanges: Sendable {
    struct Report: Equatable, Sendable {
        var changes = FolderChanges()
        var reasons: Set<FolderWatcher.Reason> = []
    }

    private struct Touch {
        /// It was there before, as far as was told.
        let existed: Bool
        /// The last that happened to it is that a rename put it there.
        var isRenamed: Bool
    }

    private var touched: [FilePlace: Touch] = [:]
    private var reasons: Set<FolderWatcher.Reason> = []

    var isEmpty: Bool { touched.isEmpty && reasons.isEmpty }

    /// Whether a file existed counts the first time only: later ones start from what was not told yet.
    mutating func note(_ file: FilePlace, existed: Bool, isRenamed: Bool) {
        touched[file, default: Touch(existed: existed, isRenamed: isRenamed)].isRenamed = isRenamed
    }

    /// The last that happened to it is that a rename put it there.
    func isRenamed(_ file: FilePlace) -> Bool { touched[file]?.isRenamed ?? false }

    mutating func rescan(_ reason: FolderWatcher.Reason) { reasons.insert(reason) }

    /// What is there so far is nothing new.
    mutating func forgetFiles() { touched = [:] }

    /// Nothing is to be told but known files that a rename replaced, as a writer does when a file is whole. Of many
    /// files it is not asked.
    func isWhole(isThere: (FilePlace) -> Bool) -> Bool {
        guard reasons.isEmpty, touched.count <= 16 else { return false }
        return touched.allSatisfy { file, touch in
            touch.existed == isThere(file) && (!touch.existed || touch.isRenamed)
        }
    }

    /// What came of it, told by what is there now.
    func report(isThere: (FilePlace) -> Bool) -> Report {
        var report = Report(reasons: reasons)
        for (file, touch) in touched {
            let (existed, exists) = (touch.existed, isThere(file))
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

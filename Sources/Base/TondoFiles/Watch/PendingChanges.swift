/// A file by its folder and its name.
struct WatchedFile: Hashable, Sendable {
    let folder: RelativePath
    let name: [UInt8]

    var path: RelativePath { folder.appending(name) }
}

/// The changes since the last report, by file.
struct PendingChanges: Sendable {
    struct Report: Equatable, Sendable {
        var changes = FolderChanges()
        var reasons: Set<FolderWatcher.Reason> = []
    }

    private struct Touch {
        /// It existed before, according to the reports.
        let existed: Bool
        /// Its last event was a rename to its name.
        var isRenamed: Bool
    }

    private var touched: [WatchedFile: Touch] = [:]
    private var reasons: Set<FolderWatcher.Reason> = []

    var isEmpty: Bool { touched.isEmpty && reasons.isEmpty }

    /// Only the first call for a file sets `existed`: later ones start from unreported changes.
    mutating func note(_ file: WatchedFile, existed: Bool, isRenamed: Bool) {
        touched[file, default: Touch(existed: existed, isRenamed: isRenamed)].isRenamed = isRenamed
    }

    /// Its last event was a rename to its name.
    func isRenamed(_ file: WatchedFile) -> Bool { touched[file]?.isRenamed ?? false }

    mutating func rescan(_ reason: FolderWatcher.Reason) { reasons.insert(reason) }

    /// The files so far are not new.
    mutating func forgetFiles() { touched = [:] }

    /// All pending changes are known files that a rename replaced, as a writer does with complete files. False without
    /// a check for many files.
    func isWhole(isThere: (WatchedFile) -> Bool) -> Bool {
        guard reasons.isEmpty, touched.count <= 16 else { return false }
        return touched.allSatisfy { file, touch in
            touch.existed == isThere(file) && (!touch.existed || touch.isRenamed)
        }
    }

    /// The result of the changes, judged by the files that exist now.
    func report(isThere: (WatchedFile) -> Bool) -> Report {
        var report = Report(reasons: reasons)
        for (file, touch) in touched {
            let (existed, exists) = (touch.existed, isThere(file))
            // A temporary file that came and went is no change.
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

/// The path of a file or folder below a watched folder, as the kernel's bytes; empty: the folder itself.
struct RelativePath: Hashable, Sendable {
    private(set) var bytes: [UInt8] = []

    init(_ path: String) { bytes = Array(path.utf8) }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Nil if the name is not valid UTF-8.
    var string: String? { String(validating: bytes, as: UTF8.self) }

    /// Its folder and its name; nil for the watched folder itself.
    var watchedFile: WatchedFile? {
        if bytes.isEmpty { return nil }
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return WatchedFile(folder: "", name: bytes) }
        return WatchedFile(folder: RelativePath(bytes: Array(bytes[..<slash])), name: Array(bytes[(slash + 1)...]))
    }

    /// The folders on the way to it, the outermost first.
    var folders: [RelativePath] {
        bytes.indices.filter { bytes[$0] == UInt8(ascii: "/") }.map { RelativePath(bytes: Array(bytes[..<$0])) }
    }

    func appending(_ name: [UInt8]) -> RelativePath {
        RelativePath(bytes: bytes.isEmpty ? name : bytes + [UInt8(ascii: "/")] + name)
    }
}

extension RelativePath: ExpressibleByStringLiteral {
    init(stringLiteral text: String) { bytes = Array(text.utf8) }
}

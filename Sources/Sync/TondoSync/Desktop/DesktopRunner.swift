internal import Glibc
internal import SystemPackage
internal import TondoFiles
internal import TondoMirror

/// A book of another program on this machine: from the configuration of a source to its run.
struct DesktopRunner {
    let sourceRun: SourceRun

    /// `prepare`: see `MirrorPhotos`.
    func run(
        _ mirror: MirrorFolder, prepare: @escaping ([UInt8]) -> PreparedCard, status: inout MirrorStatus, now: Int
    ) throws(SyncError) {
        let report = try reading(in: mirror.isDry ? nil : mirror.layout.temporary) { book in
            try DesktopSource(
                book: book, mirror: mirror, allowsDeletion: sourceRun.options.allowsDeletion, prepare: prepare,
                progress: sourceRun.progress, now: now
            ).run()
        }
        status.added = report.added
        status.changed = report.changed
        status.failed = report.failed
        status.missing = report.missing.isEmpty ? nil : report.missing
        status.removed = report.outcome.removed
        status.withheld = report.outcome.withheld
    }

    /// The number of contacts, for `tondo sync add`.
    func people() throws(SyncError) -> Int {
        var count = 0
        try reading(in: nil) { try $0.read { _ in count += 1 } }
        return count
    }

    /// `folder`: for the copy of a database; nil: one of its own.
    private func reading<Result>(
        in folder: FilePath?, _ body: (any DesktopBook) throws -> Result
    ) throws(SyncError) -> Result {
        let (source, photos) = (sourceRun.source, LocalPhotos(folders: LocalPhotos.evolutionFolders))
        let result = try SyncError.converting {
            if source.kind == .evolution { return try body(EvolutionBook(uid: source.place, photos: photos)) }
            let own = try folder == nil ? PrivateFolder() : nil
            defer { withExtendedLifetime(own) {} }
            let path = expanded(source.place)
            return try body(ThunderbirdBook(path: path, folder: folder ?? own?.path ?? "/tmp", photos: photos))
        }
        if let failures = photos.failures { SyncReport.complain("\(source.name): \(AccountSetup.printable(failures))") }
        return result
    }

    /// With the home folder in the place of `~`.
    private func expanded(_ text: String) -> FilePath {
        guard text.hasPrefix("~/"), let home = getenv("HOME") else { return FilePath(text) }
        return FilePath(String(cString: home)).pushing(FilePath(String(text.dropFirst(2))))
    }
}

/// A new folder for this process alone, which goes with it.
private final class PrivateFolder {
    let path: FilePath

    init() throws {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var name = Array("\(parent)/tondo-sync-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else {
            throw FileError(.write, path: FilePath(parent), errno: Errno(rawValue: errno))
        }
        path = FilePath(platformString: name)
    }

    deinit { _ = path.withPlatformString { rmdir($0) } }
}

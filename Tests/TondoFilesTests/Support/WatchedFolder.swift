import Dispatch
import Foundation
import TondoTestSupport

@testable import TondoFiles

/// A folder that is deleted with its owner, a watcher of it, and its reports.
final class WatchedFolder: Sendable {
    struct Seen: Equatable, Sendable {
        var reasons: Set<FolderWatcher.Reason> = []
        var ending: FolderWatcher.Ending?
        /// The sum of all reports, since a slow machine may report in pieces.
        var changes = FolderChanges()
        /// Files that exist according to the reports.
        var files: Set<String> = []
    }

    /// Holds the folder that is watched, and whatever else a test needs.
    let base: URL
    private let seen = Locked(Seen())
    private let recorded = DispatchSemaphore(value: 0)

    init() throws {
        base = FileManager.default.temporaryDirectory.appendingPathComponent("tondo-watch-\(UUID().uuidString)")
        try makeFolder("book")
    }

    deinit { try? FileManager.default.removeItem(at: base) }

    func watch(
        _ name: String = "book", debounceDelay: Duration = .milliseconds(5), longest: Duration = .seconds(2),
        quietPeriod: Duration = .milliseconds(250), maxWatches: Int = .max,
        ignored: FolderWatcher.Ignored = .init(), then: @escaping @Sendable (FolderWatcher.Event) -> Void = { _ in }
    ) throws -> FolderWatcher {
        var options = FolderWatcher.Options()
        (options.debounceDelay, options.longest, options.quietPeriod) = (debounceDelay, longest, quietPeriod)
        (options.ignored, options.maxWatches) = (ignored, maxWatches)
        return try FolderWatcher(base.appendingPathComponent(name).path, options: options) { [weak self] event in
            self?.note(event)
            then(event)
        }
    }

    private func note(_ event: FolderWatcher.Event) {
        seen.withLock { seen in
            switch event {
            case .changed(let changes):
                seen.changes.follow(changes)
                seen.files.formUnion(changes.added)
                seen.files.subtract(changes.removed)
            case .rescanNeeded(let reason): seen.reasons.insert(reason)
            case .ended(let ending): seen.ending = ending
            }
        }
        recorded.signal()
    }

    /// The reports, once they are enough; after a timeout, those until then.
    func wait(_ isEnough: (Seen) -> Bool) -> Seen {
        while true {
            let now = seen.withLock { $0 }
            if isEnough(now) || recorded.wait(timeout: .now() + testTimeout) == .timedOut { return now }
        }
    }

    /// Starts to collect anew.
    func forget() { seen.withLock { $0.changes = FolderChanges() } }

    func write(_ name: String, _ text: String = "x") throws {
        try Data(text.utf8).write(to: base.appendingPathComponent(name))
    }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            at: base.appendingPathComponent(name), withIntermediateDirectories: true)
    }

    func move(_ name: String, to other: String) {
        rename(base.appendingPathComponent(name).path, base.appendingPathComponent(other).path)
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(at: base.appendingPathComponent(name)) }

    func link(_ name: String, to other: String) throws {
        try FileManager.default.createSymbolicLink(
            at: base.appendingPathComponent(name), withDestinationURL: base.appendingPathComponent(other))
    }

    /// Files below the watched folder, as they are on the disk.
    var files: Set<String> {
        let found = FileManager.default.enumerator(atPath: base.appendingPathComponent("book").path)
        return Set((found?.allObjects as? [String] ?? []).filter { !isFolder("book/" + $0) })
    }

    func isFolder(_ name: String) -> Bool {
        var isFolder: ObjCBool = false
        let path = base.appendingPathComponent(name).path
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}

extension FolderChanges {
    /// What came of these changes and those that followed.
    mutating func follow(_ later: FolderChanges) {
        for path in later.added {
            if removed.remove(path) == nil { added.insert(path) } else { changed.insert(path) }
        }
        changed.formUnion(later.changed.subtracting(added))
        for path in later.removed where added.remove(path) == nil {
            changed.remove(path)
            removed.insert(path)
        }
    }
}

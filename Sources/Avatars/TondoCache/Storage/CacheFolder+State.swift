internal import FoundationEssentials
internal import Glibc
internal import SystemPackage
internal import TondoFiles

extension CacheFolder {
    enum Presence {
        case whole
        /// The folder exists, but a part of it was deleted or replaced.
        case incomplete
        case gone
    }

    /// Whether the open folder still exists, under any name.
    var presence: Presence {
        if (try? root.status())?.links == 0 { return .gone }
        let parts = [("objects", objects), ("failures", failures), ("tmp", temporary)]
        let isWhole = parts.allSatisfy { name, part in stands(name, as: part.identity) }
        guard isWhole, stands("VERSION", as: indexLock.identity), (try? root.status("CACHEDIR.TAG")) != nil else {
            return .incomplete
        }
        return .whole
    }

    private func stands(_ name: String, as identity: FileIdentity?) -> Bool {
        (try? root.status(name)).map { $0.identity == identity } ?? false
    }

    /// Whether both have the same entries and negative entries.
    func hasFiles(of other: CacheFolder) -> Bool {
        [(objects, other.objects), (failures, other.failures)].allSatisfy { $0.identity == $1.identity }
    }

    /// Whether this many bytes are at least half of the size of the file system.
    func isMostOfDisk(_ bytes: Int) -> Bool {
        var disk = statvfs()
        guard fstatvfs(root.descriptor, &disk) == 0 else { return false }
        let (size, isOverflow) = UInt64(disk.f_blocks).multipliedReportingOverflow(by: UInt64(disk.f_frsize))
        return !isOverflow && UInt64(bytes) >= size / 2
    }
}

/// Leftovers of killed processes in `tmp`.
extension CacheFolder {
    /// Seconds. A younger file may belong to a process that is just starting or ending.
    private static let minimumAge = 60

    /// Removes files that no running process is writing. Journals stay, since they are to be settled, and so do things
    /// that were moved away, which may be a user's. On errors they are left to `verify`.
    func removeLeftovers() {
        guard let names = try? temporary.names().map(\.string), !names.isEmpty else { return }
        let oldest = time(nil) - Self.minimumAge
        let drafts = names.filter { isOld($0, oldest: oldest) && ownerOfDraft($0).map { !isAlive($0) } ?? false }
        for name in drafts { try? temporary.remove(name) }
        removeDraftsOfIndex(names.filter { $0.hasPrefix("index-") && isOld($0, oldest: oldest) })
    }

    /// While VERSION is locked, no process builds an index. A process that does may have old drafts.
    private func removeDraftsOfIndex(_ names: [String]) {
        guard !names.isEmpty, let lock = try? root.open("VERSION", flags: O_RDONLY) else { return }
        defer { try? lock.close() }
        guard LockKind.shared.tryLock(lock.rawValue) else { return }
        for name in names { try? temporary.remove(name) }
    }

    private func isOld(_ name: String, oldest: Int) -> Bool {
        guard let state = try? temporary.status(name), state.kind == .regular else { return false }
        return state.modified / 1_000_000_000 <= oldest
    }

    /// The session of a draft's name, as in `0123456789abcdef-7`; for `VERSION-0123456789abcdef` the random part, which
    /// names no session.
    private func ownerOfDraft(_ name: String) -> String? {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return nil }
        if ["VERSION", "CACHEDIR.TAG"].contains(parts[0]) { return parts[1] }
        return parts[0].utf8.count == 16 && Int(parts[1]) != nil ? parts[0] : nil
    }

    /// Whether a running process has this session: its journal is locked.
    func isAlive(_ session: String) -> Bool {
        guard let journal = try? temporary.open(session + Session.suffix, flags: O_RDONLY) else { return false }
        defer { try? journal.close() }
        // Shared: two processes that look at the same time must not take each other for the owner.
        return !LockKind.shared.tryLock(journal.rawValue)
    }
}

internal import Glibc
internal import Synchronization
internal import SystemPackage
internal import TondoFiles

/// This process's part of `tmp/`: the names of its files, and its journal.
///
/// The journal names every key whose file may differ from its row in the index. A key is written there before its file
/// is touched and removed after its row was settled. The journal is locked as long as its process lives; a process that
/// finds an unlocked one settles its keys. Records are 32 bytes each; a torn last one is ignored, since its file was
/// not touched yet. Usable from any thread.
final class Session: Sendable {
    static let suffix = ".journal"

    /// The prefix of all of this process's names in `tmp/`.
    let name: String
    private let journal: FileDescriptor
    private let state = Mutex(State())

    private struct State {
        /// Keys that were announced and not settled yet.
        var open: [CacheKey: Announced] = [:]
        /// Records in the file; some may be settled already.
        var records = 0
        var files = 0
        var isClosed = false
    }

    private struct Announced {
        /// How often.
        var count: Int
        /// Its last record's number.
        var last: Int
    }

    init(in temporary: Folder) throws(Errno) {
        while true {
            let name = TemporaryName.random()
            let file = try temporary.open(name + Self.suffix, flags: O_RDWR | O_CREAT | O_EXCL)
            // Between creating and locking it, another process may have taken it for an abandoned one.
            if LockKind.exclusive.tryLock(file.rawValue), (try? FileStatus(file))?.links == 1 {
                self.name = name
                journal = file
                return
            }
            try? file.close()
        }
    }

    deinit {
        // A child process that is being started has a copy of the descriptor for a moment, but unlocking applies to the
        // copy, too.
        flock(journal.rawValue, LOCK_UN)
        try? journal.close()
    }

    /// A name for a new file in `tmp/`.
    func newName() -> String {
        state.withLock { state in
            state.files += 1
            return "\(name)-\(state.files)"
        }
    }

    /// Call before a key's file is touched. False if the session was closed, so that nothing was written.
    @discardableResult
    func announce(_ keys: [CacheKey]) throws(Errno) -> Bool {
        try state.withLock { state throws(Errno) in
            if state.isClosed { return false }
            // Written before it counts: after an error the keys are not announced.
            try write(keys.flatMap(\.bytes), at: state.records)
            for (index, key) in keys.enumerated() {
                let count = state.open[key]?.count ?? 0
                state.open[key] = Announced(count: count + 1, last: state.records + index)
            }
            state.records += keys.count
            return true
        }
    }

    /// Call after the keys' rows agree with their files; once for each announcement.
    func commit(_ keys: some Sequence<CacheKey>) {
        state.withLock { state in
            for key in keys {
                guard let announced = state.open[key] else { continue }
                state.open[key] =
                    announced.count > 1 ? Announced(count: announced.count - 1, last: announced.last) : nil
            }
            shorten(&state)
        }
    }

    /// Writes the open keys to the front and truncates the rest, as soon as their records are beyond that front: a kill
    /// at any point then leaves too many records, never too few.
    private func shorten(_ state: inout State) {
        let count = state.open.count
        guard count < state.records, state.open.values.allSatisfy({ $0.last >= count }) else { return }
        let keys = Array(state.open.keys)
        guard (try? write(keys.flatMap(\.bytes), at: 0)) != nil,
            ftruncate(journal.rawValue, off_t(count * CacheKey.byteCount)) == 0
        else { return }
        state.records = count
        for (index, key) in keys.enumerated() { state.open[key]?.last = index }
    }

    private func write(_ bytes: [UInt8], at record: Int) throws(Errno) {
        do {
            _ = try bytes.withUnsafeBytes {
                try journal.writeAll(toAbsoluteOffset: Int64(record * CacheKey.byteCount), $0)
            }
        } catch { throw error as? Errno ?? .ioError }
    }

    /// Removes the journal if nothing is left to settle; else false.
    @discardableResult
    func close(in temporary: Folder) -> Bool {
        state.withLock { state in
            guard state.open.isEmpty else { return false }
            if !state.isClosed { try? temporary.remove(name + Self.suffix) }
            state.isClosed = true
            return true
        }
    }
}

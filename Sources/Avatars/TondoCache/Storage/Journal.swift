internal import Synchronization
internal import SystemPackage
internal import TondoFiles

/// The journal of this process in one open folder, created with the first change. Usable from any thread.
final class Journal: Sendable {
    private let folder: CacheFolder
    private let pause: StorePause
    private let current = Mutex<Session?>(nil)

    /// `pause`: begins if the disk has no room for a journal.
    init(in folder: CacheFolder, pause: StorePause) {
        self.folder = folder
        self.pause = pause
    }

    func session() throws(CacheError) -> Session {
        do throws(Errno) {
            return try current.withLock { current throws(Errno) in
                if let current { return current }
                let session = try Session(in: folder.temporary)
                current = session
                return session
            }
        } catch {
            let error = CacheError(error, at: folder.path)
            if error.isFull { pause.begin(error) }
            throw error
        }
    }

    /// Writes keys to the journal, before their files are touched.
    func announce(_ keys: [CacheKey]) throws(CacheError) -> Session {
        while true {
            // `close` may come between the two calls; then the next session takes the keys.
            let session = try session()
            do { if try session.announce(keys) { return session } } catch { throw CacheError(error, at: folder.path) }
        }
    }

    /// Like `announce`, but nil if the disk has no room for a journal. Removing frees some: a kill then leaves rows
    /// without files, which are misses and are removed by `verify`, eviction or the next index.
    func announceIfRoom(_ keys: [CacheKey]) throws(CacheError) -> Session? {
        do { return try announce(keys) } catch {
            if error.isFull { return nil }
            throw error
        }
    }

    /// Call after the rows agree with their files.
    func commit(_ changes: [CacheKey: RowChange]) {
        current.withLock { $0 }?.commit(changes.flatMap { repeatElement($0.key, count: $0.value.announced) })
    }

    /// Whether the file with this name in `tmp/` is the journal, or was written by its session.
    func isNamed(_ name: String) -> Bool { current.withLock { $0.map { name.hasPrefix($0.name) } == true } }

    /// The next change begins a new one. Keys that are not settled stay in the file of the old one.
    func forget() {
        let session = current.withLock { current in
            defer { current = nil }
            return current
        }
        // Not released under the lock, since that closes its file.
        withExtendedLifetime(session) {}
    }

    /// Removes the journal if nothing is left to settle.
    func close() {
        current.withLock { current in
            if current?.close(in: folder.temporary) == true { current = nil }
        }
    }

    /// The keys that a journal in `tmp/` names, its owner alive or not. Reads the present content, even during writes.
    static func keys(_ file: FileDescriptor) throws(Errno) -> [CacheKey] {
        let state = try FileStatus(file)
        guard state.kind == .regular else { return [] }
        let bytes = try EntryFile.bytes(file, size: min(state.size, 64 << 20))
        return bytes.withUnsafeBytes { bytes in
            stride(from: 0, through: bytes.count - CacheKey.byteCount, by: CacheKey.byteCount).compactMap {
                CacheKey(bytes: UnsafeRawBufferPointer(rebasing: bytes[$0..<$0 + CacheKey.byteCount]))
            }
        }
    }
}

internal import FoundationEssentials
internal import Glibc
internal import Synchronization
package import SystemPackage
internal import TondoDigest
internal import TondoFiles
internal import TondoMirror
internal import TondoText

/// The photos that were fetched, by their URLs, beside the mirrors. One process writes it at a time, by a lock that ends with
/// this object; the service only reads.
///
///     _photos/fetched/DIGEST   one photo; DIGEST is SHA-256 of its URL
///     _photos/record.json      `PhotoState` of each URL
///     _photos/lock
package final class PhotoStore: Sendable {
    private let root: FilePath
    private let lock: FileDescriptor
    /// This process has the lock.
    package let canFetch: Bool
    private let states: Mutex<[String: PhotoState]>
    private let saved: Mutex<[UInt8]>

    /// The most URLs of all books.
    private static let mostURLs = 200_000

    /// `folder`: of all mirrors. If another process fetches photos, this object only reads. Throws an `Errno` or a
    /// `FileError`.
    package init(in folder: FilePath, now: Int) throws {
        root = FetchedPhotos.root(in: folder)
        try Folder.make(root.appending("fetched"), mode: 0o755)
        lock = try FileDescriptor.open(
            root.appending("lock"), .readWrite, options: [.create, .closeOnExec, .noFollow],
            permissions: .ownerReadWrite)
        canFetch = LockKind.exclusive.tryLock(lock.rawValue)
        // Only with the lock: the temporary files of another process are in use.
        if canFetch { for folder in [root, root.appending("fetched")] { AtomicFile.clear(folder) } }
        // Without a record, or with a damaged one, photos are fetched again.
        let bytes = (try? MirrorFile.read(root.appending("record.json"))) ?? []
        let known = (try? JSONDecoder().decode([PhotoState].self, from: Data(bytes))) ?? []
        states = Mutex(Dictionary(known.map { ($0.url, $0) }) { first, _ in first })
        saved = Mutex(bytes)
        check()
    }

    deinit {
        // See `MirrorFolder`.
        if canFetch { flock(lock.rawValue, LOCK_UN) }
        try? lock.close()
    }

    private func path(of url: String) -> FilePath { FetchedPhotos.file(of: url, in: root) }

    /// A photo without its file is fetched again.
    private func check() {
        states.withLock { states in
            for (url, state) in states {
                guard let picture = state.picture,
                    FileStatus(path(of: url), followingLinks: false)?.size != picture.size
                else { continue }
                states[url]?.lose()
            }
        }
    }

    /// From any thread. Nil: none was fetched, or it is lost.
    package func picture(of url: String) -> PhotoState.Picture? { states.withLock { $0[url]?.picture } }

    /// A copy of the record, in no order.
    package var all: [PhotoState] { states.withLock { Array($0.values) } }

    /// Nil if the file is not the photo any more.
    package func bytes(of url: String) -> [UInt8]? {
        guard let picture = picture(of: url), let bytes = try? MirrorFile.read(path(of: url), limit: picture.size),
            Self.digest(bytes) == picture.digest
        else { return nil }
        return bytes
    }

    /// Notes that cards name these URLs. Returns the states of those that are due.
    package func use(_ urls: some Sequence<String>, now: Int) -> [PhotoState] {
        states.withLock { states in
            var due: [PhotoState] = []
            for url in urls {
                if states[url] == nil, states.count >= Self.mostURLs { continue }
                var state = states[url] ?? PhotoState(url: url, now: now)
                state.use(now)
                states[url] = state
                if state.isDue(now) { due.append(state) }
            }
            return due
        }
    }

    /// `bytes`: of a new picture. The photo has its name before the record lists it. From any thread.
    package func take(_ answer: PhotoState.Answer, bytes: [UInt8] = [], of url: String, now: Int) throws {
        if case .picture(let picture) = answer, self.picture(of: url)?.digest != picture.digest {
            try AtomicFile.write(to: path(of: url), permissions: AtomicFile.shared) { _ = try $0.writeAll(bytes) }
        }
        let isGone = states.withLock { states in
            let before = states[url]?.picture
            states[url, default: PhotoState(url: url, now: now)].take(answer, now: now)
            return before != nil && states[url]?.picture == nil
        }
        if isGone { AtomicFile.remove(path(of: url)) }
    }

    /// Forgets what no card has named for a month, and writes the record if it changed.
    package func save(now: Int) throws {
        guard canFetch else { return }
        let (kept, unused) = states.withLock { states in
            let unused = states.filter { $0.value.isUnused(now) }.map(\.key)
            for url in unused { states[url] = nil }
            return (states.values.sorted { $0.url < $1.url }, unused)
        }
        for url in unused { AtomicFile.remove(path(of: url)) }
        let bytes = try JSONReport.encode(kept)
        // Most runs change nothing, and need not write.
        guard saved.withLock({ $0 != bytes }) else { return }
        try AtomicFile.write(to: root.appending("record.json"), permissions: .ownerReadWrite) {
            _ = try $0.writeAll(bytes)
        }
        saved.withLock { $0 = bytes }
    }

    static func digest(_ bytes: [UInt8]) -> String { SHA256Digest(of: bytes).hexadecimal }
}

internal import FoundationEssentials
internal import GRDB
internal import Synchronization

/// The digests of photos by their files' identity, so that a photo whose avatars are in the cache need not be read. A
/// lost digest costs one reading of the photo. Usable from any thread.
///
/// While another thread uses the index, or another process rebuilds it, the digest counts as unknown: a lookup does not
/// wait for them.
final class PhotoDigests: Sendable {
    /// More digests than photos of the largest books; the oldest are dropped first. 40 MB of the index.
    static let most = 200_000
    /// The first lookups are queries of the index, since most commands need only a few digests; then all digests are
    /// read at once, at a tenth of the time each.
    private static let queries = 16

    private struct State {
        var known: [PhotoIdentity: PhotoFacts] = [:]
        /// Not yet in the index.
        var pending: [PhotoIdentity: PhotoFacts] = [:]
        var lookups = 0
        /// `known` has all digests of the index.
        var isLoaded = false
    }

    private let state = Mutex(State())

    private enum Step {
        case done(PhotoFacts?)
        case query, load
    }

    /// `index`: nil if there is none.
    func facts(of identity: PhotoIdentity, in index: Index) -> PhotoFacts? {
        let step: Step = state.withLock { state in
            if let facts = state.known[identity] ?? state.pending[identity] { return .done(facts) }
            if state.isLoaded { return .done(nil) }
            state.lookups += 1
            return state.lookups <= Self.queries ? .query : .load
        }
        switch step {
        case .done(let facts): return facts
        case .query: return index.peek { try $0.photo(identity) } ?? nil
        case .load:
            // Outside the lock, which `remember` needs.
            guard let known = index.peek({ try $0.photos(limit: Self.most) }) else { return nil }
            return state.withLock { state in
                state.known = known
                state.isLoaded = true
                return known[identity] ?? state.pending[identity]
            }
        }
    }

    func remember(_ identity: PhotoIdentity, facts: PhotoFacts) {
        state.withLock { state in
            if state.known.count + state.pending.count >= 2 * Self.most {
                state.known = [:]
                state.isLoaded = false
            }
            state.pending[identity] = facts
        }
    }

    /// The digests to be written to the index. If that fails, they are lost.
    func takePending() -> [PhotoIdentity: PhotoFacts] {
        state.withLock { state in
            let pending = state.pending
            if state.isLoaded { state.known.merge(pending) { _, new in new } }
            state.pending = [:]
            return pending
        }
    }

    /// The index has none any more.
    func forgetAll() { state.withLock { $0 = State() } }

    /// Frees memory; the next lookups read the index again.
    func releaseMemory() {
        state.withLock {
            $0.known = [:]
            $0.isLoaded = false
            $0.lookups = 0
        }
    }
}

extension IndexReader {
    func photo(_ identity: PhotoIdentity) throws -> PhotoFacts? {
        try database.row("SELECT facts FROM photos WHERE place = ?", with: Data(identity.bytes)).flatMap(Self.facts)
    }

    /// The latest `limit` photos.
    func photos(limit: Int) throws -> [PhotoIdentity: PhotoFacts] {
        var photos: [PhotoIdentity: PhotoFacts] = [:]
        let rows = try database.rows("SELECT facts, place FROM photos ORDER BY id DESC LIMIT ?", with: limit)
        while let row = try rows.next() {
            let identity = try row.withUnsafeData(atIndex: 1) {
                $0.flatMap { $0.withUnsafeBytes(PhotoIdentity.init(bytes:)) }
            }
            if let identity { photos[identity] = try Self.facts(row) }
        }
        return photos
    }

    /// Nil for a damaged row: the photo is read then.
    private static func facts(_ row: Row) throws -> PhotoFacts? {
        try row.withUnsafeData(atIndex: 0) { $0.flatMap { $0.withUnsafeBytes(PhotoFacts.init(bytes:)) } }
    }
}

extension IndexWriter {
    func removePhotos() throws { try database.run("DELETE FROM photos") }

    /// Adds or replaces rows, and drops the oldest above `limit`.
    func put(_ photos: [PhotoIdentity: PhotoFacts], limit: Int) throws {
        if photos.isEmpty { return }
        let insert = try database.cachedStatement(sql: "INSERT OR REPLACE INTO photos (place, facts) VALUES (?, ?)")
        for (identity, facts) in photos { try insert.execute(arguments: [Data(identity.bytes), Data(facts.bytes)]) }
        // Ids grow by one, so that this needs no count of the rows; gaps only make it drop a few more.
        try database.run("DELETE FROM photos WHERE id <= (SELECT max(id) FROM photos) - ?", with: limit)
    }
}

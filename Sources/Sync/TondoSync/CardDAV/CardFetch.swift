internal import Dispatch
internal import Synchronization
internal import TondoMirror

/// Fetches cards by `addressbook-multiget`, and puts them into the mirror while the next ones arrive. Of many cards, two requests run at a
/// time: the server makes one answer while the other is read.
struct CardFetch {
    struct Wanted: Equatable {
        let id: String
        let href: String
        /// As the listing has it; empty: unknown.
        let etag: String
    }

    /// What the lanes share.
    // `prepare` is called on the writer's thread alone, and the rest is constant or locked.
    final class Shared: @unchecked Sendable {
        let url: WebURL
        let writer: MirrorWriter
        let prepare: ([UInt8]) -> PreparedCard
        let total: Int
        private let state: Mutex<State>

        private struct State {
            var rest: ArraySlice<Wanted>
            var done = 0
            /// A request of this run was answered with cards, or as having none.
            var hasAnswer = false
            var isStopped = false
            var stored: Set<String> = []
        }

        init(url: WebURL, writer: MirrorWriter, wanted: [Wanted], prepare: @escaping ([UInt8]) -> PreparedCard) {
            self.url = url
            self.writer = writer
            self.prepare = prepare
            total = wanted.count
            state = Mutex(State(rest: wanted[...]))
        }

        /// The next cards to fetch, `most` of them; none: the end.
        func next(_ most: Int) -> ArraySlice<Wanted> {
            state.withLock { state in
                let batch = state.rest.prefix(most)
                state.rest = state.rest.dropFirst(batch.count)
                return batch
            }
        }

        /// What one lane could not fetch is left to the other.
        func giveBack(_ batch: ArraySlice<Wanted>) {
            state.withLock { if !$0.isStopped { $0.rest = (Array(batch) + $0.rest)[...] } }
        }

        func note(done: Int) { state.withLock { $0.done += done } }

        func note(stored ids: [String]) { state.withLock { $0.stored.formUnion(ids) } }

        func isStored(_ id: String) -> Bool { state.withLock { $0.stored.contains(id) } }

        func noteAnswer() { state.withLock { $0.hasAnswer = true } }

        /// A lane failed: there are no more batches, and the other lane ends its request.
        func stop() {
            state.withLock { state in
                state.rest = []
                state.isStopped = true
            }
        }

        var isStopped: Bool { state.withLock(\.isStopped) }
        var hasAnswer: Bool { state.withLock(\.hasAnswer) }
        var rest: Int { state.withLock { $0.rest.count } }
        var done: Int { state.withLock { $0.done } }
    }

    let url: WebURL
    let client: DAVClient
    let mirror: MirrorFolder
    /// Called on one thread at a time, which is not the caller's.
    let prepare: ([UInt8]) -> PreparedCard
    let progress: (Int, Int) -> Void

    struct Result {
        var added = 0
        var changed = 0
        var failed: [String: CardFailure] = [:]
        /// See `CardDAVMemory`.
        var lastAlone: String?
    }

    /// Blocks. The mirror has all cards that arrived once this returns or throws.
    func run(_ wanted: [Wanted]) throws(SyncError) -> Result {
        let writer = MirrorWriter(mirror: mirror)
        do throws(SyncError) {
            let rescued = try fetch(wanted, with: writer)
            try SyncError.converting { try writer.finish() }
            return Result(
                added: writer.added, changed: writer.changed, failed: rescued.failed, lastAlone: rescued.last)
        } catch {
            do throws(MirrorError) { try writer.finish() } catch { throw .mirror(error) }
            throw error
        }
    }

    /// A server that refuses such a request as a whole is asked for each card by GET: for some it is enough that one card is gone (sabre
    /// answers 404), others know no multiget.
    private func fetch(_ wanted: [Wanted], with writer: MirrorWriter) throws(SyncError) -> Rescued {
        let shared = Shared(url: url, writer: writer, wanted: wanted, prepare: prepare)
        let refusal: SyncError
        do throws(SyncError) { return try rescue(wanted, failed: try lanes(shared), writer: writer) } catch {
            refusal = error
        }
        guard case .status(let status, _, _) = refusal, Self.refusals.contains(status) else { throw refusal }
        try SyncError.converting { try writer.finish() }
        let rest = wanted.filter { !shared.isStored($0.id) }
        let failed = Dictionary(rest.map { ($0.id, CardFailure.refused(status: status)) }) { first, _ in first }
        let rescued = try rescue(rest, failed: failed, writer: writer)
        // Where no way brings any card, the run fails. Where cards fail one by one, they are named, and the next run begins with others.
        if rescued.isRefused, rescued.failed.count == rest.count { throw refusal }
        return rescued
    }

    // Without 401, 429 and 502 to 504: those are about the user or the moment, and would meet each GET as well.
    private static let refusals = [400, 403, 404, 405, 406, 409, 410, 415, 422, 500, 501]

    /// Returns the cards that could not be fetched.
    func lanes(_ shared: Shared) throws(SyncError) -> [String: CardFailure] {
        let first = CardLane(fetch: shared, client: client)
        var second: Second?
        defer { client.count(second?.lane.requests ?? 0) }
        do throws(SyncError) {
            while try first.step() {
                progress(shared.done, shared.total)
                // A few cards are not worth a second connection; and a server that refuses or breaks is asked by one.
                if second == nil, shared.rest > 2 * first.batch {
                    second = Second(lane: CardLane(fetch: shared, client: client.another { shared.isStopped }))
                }
            }
            guard let second else { return first.failed }
            if let error = end(of: second) { throw error }
            progress(shared.done, shared.total)
            // What the second one gave back.
            while try first.step() { progress(shared.done, shared.total) }
            return first.failed.merging(second.lane.failed) { own, _ in own }
        } catch {
            shared.stop()
            if let second { _ = end(of: second) }
            throw error
        }
    }

    /// Waits for it. A server that serves one connection at a time comes to the second one when the first one is closed.
    private func end(of second: Second) -> SyncError? {
        if !second.ends(within: .seconds(1)) { client.disconnect() }
        return second.wait()
    }

    /// A lane on another thread.
    private final class Second: Sendable {
        let lane: CardLane
        /// See `MirrorWriter`.
        private let end = DispatchGroup()
        private let error = Mutex<SyncError?>(nil)

        init(lane: CardLane) {
            self.lane = lane
            DispatchQueue(label: "tondo.cards").async(group: end) { [self] in
                let result = lane.run()
                error.withLock { $0 = result }
            }
        }

        func ends(within time: DispatchTimeInterval) -> Bool { end.wait(timeout: .now() + time) == .success }

        /// What the lane failed with.
        func wait() -> SyncError? {
            end.wait()
            return error.withLock(\.self)
        }
    }
}

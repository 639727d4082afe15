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
        }

        init(_ url: WebURL, _ mirror: MirrorFolder, _ wanted: [Wanted], _ prepare: @escaping ([UInt8]) -> PreparedCard)
        {
            (self.url, self.prepare, total) = (url, prepare, wanted.count)
            writer = MirrorWriter(mirror)
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
        var failed: Set<String> = []
    }

    /// Blocks. The mirror has all cards that arrived once this returns or throws.
    func run(_ wanted: [Wanted]) throws(SyncError) -> Result {
        let shared = Shared(url, mirror, wanted, prepare)
        do throws(SyncError) {
            let failed = try lanes(shared)
            try SyncError.converting { try shared.writer.finish() }
            return Result(added: shared.writer.added, changed: shared.writer.changed, failed: failed)
        } catch {
            do throws(MirrorError) { try shared.writer.finish() } catch { throw .mirror(error) }
            throw error
        }
    }

    /// Returns the cards that could not be fetched.
    private func lanes(_ shared: Shared) throws(SyncError) -> Set<String> {
        let first = CardLane(shared, client)
        var second: Second?
        defer { client.count(second?.lane.requests ?? 0) }
        do throws(SyncError) {
            while try first.step() {
                progress(shared.done, shared.total)
                // A few cards are not worth a second connection; and a server that refuses or breaks is asked by one.
                if second == nil, shared.rest > 2 * first.batch {
                    second = Second(CardLane(shared, client.another { shared.isStopped }))
                }
            }
            guard let second else { return first.failed }
            if let error = end(of: second) { throw error }
            progress(shared.done, shared.total)
            // What the second one gave back.
            while try first.step() { progress(shared.done, shared.total) }
            return first.failed.union(second.lane.failed)
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

        init(_ lane: CardLane) {
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

internal import Dispatch
internal import Synchronization
internal import TondoCache
internal import TondoJobs

/// Statistics of the cache for `/metrics`, from a dedicated thread. Concurrent requests share one sample; if the cache
/// takes longer than a limit, the response uses the last sample. Usable from any thread.
final class CacheSampler: Sendable {
    private struct State {
        var last: Statistics?
        var isSampling = false
        var waiting: [Waiter] = []
    }

    private let state = Mutex(State())
    private let thread = BlockingThreads(count: 1, label: "tondo.service.metrics")
    private let limit: DispatchTimeInterval
    private let sample: @Sendable () -> Statistics?

    /// `sample` may block.
    init(limit: DispatchTimeInterval = .milliseconds(500), _ sample: @escaping @Sendable () -> Statistics?) {
        self.limit = limit
        self.sample = sample
    }

    /// Nil before the first sample.
    var statistics: Statistics? {
        get async {
            let waiter = Waiter()
            let isFirst = state.withLock { state in
                state.waiting.append(waiter)
                defer { state.isSampling = true }
                return !state.isSampling
            }
            if isFirst { thread.run { self.take() } }
            // The sample goes on, for the next request.
            DispatchQueue.global().asyncAfter(deadline: .now() + limit) { waiter.end() }
            await waiter.wait()
            return state.withLock { state in
                state.waiting.removeAll { $0 === waiter }
                return state.last
            }
        }
    }

    /// The number of requests that wait for a sample.
    var waiting: Int { state.withLock { $0.waiting.count } }

    private func take() {
        let statistics = sample()
        let waiting = state.withLock { state in
            state.last = statistics
            state.isSampling = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.end() }
    }
}

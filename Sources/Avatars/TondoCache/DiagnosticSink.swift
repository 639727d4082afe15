internal import Dispatch
internal import Synchronization

/// Reports problems of a cache, each once. The receiver may call the cache: notices that occur on the cache's queue are
/// kept until the queue is free.
final class DiagnosticSink: Sendable {
    private let handler: @Sendable (CacheNotice) -> Void
    private let state = Mutex(State())
    /// The serial work of the cache.
    private let queue = DispatchQueue(label: "tondo.cache", qos: .utility)

    private struct State {
        var reported: Set<String> = []
        var waiting: [CacheNotice] = []
    }

    /// Its value is unique per queue, so that code can check whether it runs there.
    private static let queueKey = DispatchSpecificKey<ObjectIdentifier>()

    init(handler: @escaping @Sendable (CacheNotice) -> Void) {
        self.handler = handler
        queue.setSpecific(key: Self.queueKey, value: ObjectIdentifier(queue))
    }

    private var isOnQueue: Bool { DispatchQueue.getSpecific(key: Self.queueKey) == ObjectIdentifier(queue) }

    /// `name`: only the first notice with that name is reported; nil: every one.
    func report(_ notice: CacheNotice, once name: String? = nil) {
        let isNew = state.withLock { state in
            if let name, !state.reported.insert(name).inserted { return false }
            if isOnQueue { state.waiting.append(notice) }
            return !isOnQueue
        }
        if isNew { handler(notice) }
    }

    /// Runs `work` on the queue and waits for it; directly if this is the queue already, as when the queue held the last
    /// reference to the cache.
    func run(_ work: () -> Void) {
        if isOnQueue { return work() }
        queue.sync(execute: work)
        reportPending()
    }

    /// Runs `work` on the queue, `seconds` later at the earliest, unless the sink is gone by then.
    func run(after seconds: Double, _ work: @escaping @Sendable () -> Void) {
        let work = { @Sendable [weak self] in
            guard let self else { return }
            work()
            // Not on the queue: the receiver may call the cache, which waits for the queue.
            DispatchQueue.global().async { self.reportPending() }
        }
        if seconds > 0 {
            queue.asyncAfter(deadline: .now() + seconds, execute: work)
        } else {
            queue.async(execute: work)
        }
    }

    private func reportPending() {
        let notices = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        notices.forEach(handler)
    }
}

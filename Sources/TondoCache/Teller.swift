internal import Dispatch
internal import Synchronization

/// Reports problems of a cache, each once. The receiver may call the cache: notices that occur on the cache's queue are
/// kept until the queue is free.
final class Teller: Sendable {
    private let listener: @Sendable (CacheNotice) -> Void
    private let state = Mutex(State())
    /// The serial work of the cache.
    let queue = DispatchQueue(label: "tondo.cache", qos: .utility)

    private struct State {
        var told: Set<String> = []
        var waiting: [CacheNotice] = []
    }

    /// Its value is unique per queue, so that code can check whether it runs there.
    private static let place = DispatchSpecificKey<ObjectIdentifier>()

    init(_ listener: @escaping @Sendable (CacheNotice) -> Void) {
        self.listener = listener
        queue.setSpecific(key: Self.place, value: ObjectIdentifier(queue))
    }

    var isOnQueue: Bool { DispatchQueue.getSpecific(key: Self.place) == ObjectIdentifier(queue) }

    /// `name`: only the first notice with that name is reported.
    func tell(_ notice: CacheNotice, once name: String? = nil) {
        let isNew = state.withLock { state in
            if let name, !state.told.insert(name).inserted { return false }
            if isOnQueue { state.waiting.append(notice) }
            return !isOnQueue
        }
        if isNew { listener(notice) }
    }

    /// Call after the queue's work, outside of it.
    func tellWaiting() {
        let notices = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        notices.forEach(listener)
    }
}

internal import Dispatch
internal import Synchronization

/// Tells what a cache found, each notice once. Whoever is told may ask the cache in turn: what comes up on its queue
/// waits until that is free.
final class Teller: Sendable {
    private let listener: @Sendable (CacheNotice) -> Void
    private let state = Mutex(State())
    /// The cache's work that is done one at a time.
    let queue = DispatchQueue(label: "tondo.cache", qos: .utility)

    private struct State {
        var told: Set<String> = []
        var waiting: [CacheNotice] = []
    }

    /// Its value is the queue's own, so that code can tell where it runs.
    private static let place = DispatchSpecificKey<ObjectIdentifier>()

    init(_ listener: @escaping @Sendable (CacheNotice) -> Void) {
        self.listener = listener
        queue.setSpecific(key: Self.place, value: ObjectIdentifier(queue))
    }

    var isOnQueue: Bool { DispatchQueue.getSpecific(key: Self.place) == ObjectIdentifier(queue) }

    /// `name`: with it, the first notice of that name only.
    func tell(_ notice: CacheNotice, once name: String? = nil) {
        let isNew = state.withLock { state in
            if let name, !state.told.insert(name).inserted { return false }
            if isOnQueue { state.waiting.append(notice) }
            return !isOnQueue
        }
        if isNew { listener(notice) }
    }

    /// To be called after the queue's work, outside of it.
    func tellWaiting() {
        let notices = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        notices.forEach(listener)
    }
}

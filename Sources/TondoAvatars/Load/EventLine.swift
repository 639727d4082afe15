internal import Dispatch
internal import Synchronization

/// Events in the order they happen, one at a time, on a thread of their own. Whoever makes many of them waits for the
/// listener, so that a slow one never piles them up.
final class EventLine: Sendable {
    /// Nil: the end; nothing follows. The number of each event is greater than that of the one before.
    typealias Sink = @Sendable ((event: LoaderEvent, number: UInt64)?) -> Void

    private let queue = DispatchQueue(label: "tondo.loader.events")
    private let room = DispatchSemaphore(value: 1024)
    private let isClosed = Atomic<Bool>(false)
    private let isFinished = Atomic<Bool>(false)
    private let last = Atomic<UInt64>(0)
    private let sink: Sink

    init(sink: @escaping Sink) { self.sink = sink }

    /// From a thread that must not wait; there are never many of them at once.
    func send(_ event: LoaderEvent) { queue.async { self.deliver(event) } }

    /// Blocks while too many wait for the listener.
    func sendWhenRoom(_ event: LoaderEvent) {
        room.wait()
        queue.async {
            self.deliver(event)
            self.room.signal()
        }
    }

    /// What was not told yet is not told any more.
    func close() { isClosed.store(true, ordering: .relaxed) }

    /// Tells the end, once, when everything before it was told.
    func finish() {
        if !isFinished.exchange(true, ordering: .relaxed) { queue.async { self.sink(nil) } }
    }

    private func deliver(_ event: LoaderEvent) {
        if isClosed.load(ordering: .relaxed) { return }
        // Only ever on the serial queue.
        sink((event, last.wrappingAdd(1, ordering: .relaxed).newValue))
    }
}

internal import NIOCore
internal import Synchronization
internal import TondoAvatars

/// Publishes events to any number of subscribers, and keeps the last ones for replay.
///
/// Any thread may publish, and publishing never waits for a subscriber: the bytes of an event are encoded once, and
/// each subscriber fetches them at its own pace and stores only its position. If the event log no longer keeps the next
/// event of a subscriber, the subscriber gets `reset`: it must fetch all data again, and continues with the events
/// after that. So a slow subscriber costs no memory.
package final class EventBroadcaster: Sendable {
    /// One event, ready to be written.
    struct Frame: Equatable {
        let id: UInt64
        let bytes: ByteBuffer
    }

    enum Wake { case poll, silence, stop }

    struct State {
        var record: EventRecord
        var asleep: [ObjectIdentifier: CheckedContinuation<Wake, Never>] = [:]
        var subscribers = 0
        var ended = false

        mutating func wakeAll() -> [CheckedContinuation<Wake, Never>] {
            defer { asleep.removeAll(keepingCapacity: true) }
            return Array(asleep.values)
        }
    }

    let state: Mutex<State>
    /// A function that is itself the value of a `Mutex` gets one more conversion around it with every access, until calling it
    /// overflows the stack; as a part of a value it does not.
    private struct Outlet {
        /// Takes the events of the books instead; nil: they are sent from here.
        var body: (@Sendable (PublishedEvent) -> Void)?
    }

    private let outlet = Mutex(Outlet())
    private let numbers: EventNumbers?
    /// The id of the first event: another one for each run of a service.
    let first: UInt64

    /// `capacity`: the number of kept events. `maxSize`: their bytes; the oldest ones are dropped first. `first`: the
    /// id of the first event, 1 or more. A service begins beyond the ids of its previous run, so that a client that
    /// reconnects after a restart gets `reset`.
    package convenience init(capacity: Int = 10_000, maxSize: Int = 8_000_000, first: UInt64 = 1) {
        self.init(capacity: capacity, maxSize: maxSize, first: first, numbers: nil)
    }

    /// Begins with ids that are above those of every earlier run.
    package convenience init(capacity: Int, maxSize: Int, numbers: EventNumbers) {
        self.init(capacity: capacity, maxSize: maxSize, first: numbers.first, numbers: numbers)
    }

    private init(capacity: Int, maxSize: Int, first: UInt64, numbers: EventNumbers?) {
        self.first = first
        self.numbers = numbers
        state = Mutex(State(record: EventRecord(capacity: capacity, maxSize: maxSize, first: first)))
    }

    /// Grows faster than any service publishes events, so that no id of a previous run comes again, even if the service
    /// restarts within the same second: a client with such an id gets `reset`.
    package static var firstByClock: UInt64 { UInt64(max(WallClock.microseconds, 1)) }

    /// Clients of the event stream; internal subscribers do not count.
    package var subscribers: Int { state.withLock { $0.subscribers } }

    /// Bytes of the kept events.
    package var size: Int { state.withLock { $0.record.size } }

    /// The id of the last event; 0 before the first.
    package var last: UInt64 { state.withLock { $0.record.next - 1 } }

    /// Publishes `data`, which may have several lines, as an event with this name. Returns its id.
    @discardableResult
    package func send(_ name: String, data: String) -> UInt64 { send(name) { _ in data } }

    /// Sends data that contains the event's id. `data` is called under the event log's lock, and must only format text.
    @discardableResult
    func send(_ name: String, data: (UInt64) -> String) -> UInt64 {
        let (id, asleep) = state.withLock { state in
            let frame = state.record.add { Self.frame(id: $0, name: name, data: data($0)) }
            return (frame.id, state.wakeAll())
        }
        numbers?.use(id)
        // Outside the lock, which a woken subscriber takes first.
        for continuation in asleep { continuation.resume(returning: .poll) }
        return id
    }

    /// Passes the events of the books to `outlet`, which numbers them; nil: they are sent from here again.
    func pass(to outlet: (@Sendable (PublishedEvent) -> Void)?) { self.outlet.withLock { $0.body = outlet } }

    /// An event of the books.
    func send(_ event: PublishedEvent) {
        if let outlet = outlet.withLock({ $0.body }) { outlet(event) } else { add(event) }
    }

    /// Adds an event, whatever the outlet.
    func add(_ event: PublishedEvent) {
        send(event.event.name) { number in String(decoding: event.json(number: number), as: UTF8.self) }
    }

    /// An event that another instance has numbered. One with the number of an earlier event is ignored; after a gap, subscribers
    /// get `reset`.
    func add(_ name: String, data: String, as id: UInt64) {
        let asleep = state.withLock { state -> [CheckedContinuation<Wake, Never>] in
            guard id >= state.record.next else { return [] }
            if id > state.record.next { state.record.restart(next: id) }
            _ = state.record.add { Self.frame(id: $0, name: name, data: data) }
            return state.wakeAll()
        }
        numbers?.use(id)
        for continuation in asleep { continuation.resume(returning: .poll) }
    }

    /// Replaces all events by those that other instances have numbered, in one step: subscribers, whose places are of other
    /// numbers, get `reset` and then what follows these. `restarts`: the numbers behind which a new range begins.
    func adopt(_ events: [(id: UInt64, name: String, data: String)], restarts: Set<UInt64>) {
        guard let first = events.first else { return }
        let asleep = state.withLock { state in
            state.record.restart(next: first.id)
            for event in events {
                if restarts.contains(event.id) {
                    state.record.restart(next: event.id + 1)
                    continue
                }
                if event.id != state.record.next { state.record.restart(next: event.id) }
                _ = state.record.add { Self.frame(id: $0, name: event.name, data: event.data) }
            }
            return state.wakeAll()
        }
        numbers?.use(last)
        for continuation in asleep { continuation.resume(returning: .poll) }
    }

    /// The events so far are of no use: the next one has this number, and subscribers get `reset`. Ignored if the numbers are
    /// there already, unless `isBack`.
    func restart(next: UInt64, isBack: Bool = false) {
        let asleep = state.withLock { state -> [CheckedContinuation<Wake, Never>] in
            guard next > state.record.next || isBack else { return [] }
            state.record.restart(next: next)
            return state.wakeAll()
        }
        numbers?.use(next)
        for continuation in asleep { continuation.resume(returning: .poll) }
    }

    /// Lets each idle subscriber send a heartbeat. Call it about every 15 seconds.
    package func sendHeartbeat() {
        let asleep = state.withLock { $0.wakeAll() }
        for continuation in asleep { continuation.resume(returning: .silence) }
    }

    /// Sends heartbeats until its task ends.
    package func sendHeartbeat(every interval: Duration) async {
        while (try? await Task.sleep(for: interval)) != nil { sendHeartbeat() }
    }

    /// Ends all streams after the events published before, including streams that begin later.
    package func end() {
        let asleep = state.withLock { state in
            state.ended = true
            return state.wakeAll()
        }
        for continuation in asleep { continuation.resume(returning: .poll) }
    }

    /// Subscribes. With the id of the last received event, later events are replayed, or `reset` if the event log no longer
    /// keeps them: then the subscriber must fetch all data again. Without it, only new events follow. `isClient`: false
    /// for internal subscribers, which are not counted.
    package func subscribe(after last: UInt64? = nil, isClient: Bool = true) -> EventSubscriber {
        let (received, isReset) = state.withLock { state in
            if isClient { state.subscribers += 1 }
            let newest = state.record.next - 1
            guard let last else { return (newest, false) }
            // No event has the id 0: the client wants all kept events.
            if last == 0 { return (state.record.oldest - 1, false) }
            return state.record.reaches(last) ? (last, false) : (newest, true)
        }
        let reset = isReset ? Self.reset(received) : nil
        return EventSubscriber(broadcaster: self, received: received, first: reset, isClient: isClient)
    }

    /// Marks that the events up to `id` are missing.
    static func reset(_ id: UInt64) -> Frame { frame(id: id, name: "reset", data: "{}") }

    private static func frame(id: UInt64, name: String, data: String) -> Frame {
        Frame(id: id, bytes: ByteBuffer(string: ServerSentEvent.frame(id: id, name: name, data: data)))
    }
}

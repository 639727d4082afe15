internal import NIOCore
internal import Synchronization

/// Tells events to any number of listeners, and keeps the last of them for those who come back.
///
/// Any thread may send, and sending never waits for anybody: an event's bytes are made once, and each listener comes
/// for them at its own pace, knowing only how far it got. One that falls so far behind that the ring no longer has its
/// next event gets `reset`: it has to ask for everything again, and continues with the events after that. A slow subscriber
/// costs no memory.
package final class EventRing: Sendable {
    /// One event, ready to be written.
    struct Frame: Equatable {
        let id: UInt64
        let bytes: ByteBuffer
    }

    enum Wake { case look, silence, stop }

    struct State {
        var record: EventRecord
        var asleep: [ObjectIdentifier: CheckedContinuation<Wake, Never>] = [:]
        var listeners = 0
        var ended = false

        mutating func wakeAll() -> [CheckedContinuation<Wake, Never>] {
            defer { asleep.removeAll(keepingCapacity: true) }
            return Array(asleep.values)
        }
    }

    let state: Mutex<State>

    /// `capacity`: how many events are kept. `maxSize`: bytes they may take; the oldest ones go first. `first`: the id of the first event, 1 or more; a service begins beyond those
    /// of the one before, so that whoever comes back to it after a restart is told to begin anew.
    package init(capacity: Int = 10_000, maxSize: Int = 8_000_000, first: UInt64 = 1) {
        state = Mutex(State(record: EventRecord(capacity: capacity, maxSize: maxSize, first: first)))
    }

    /// Grows faster than any service publishes events, so that no id of a former life comes again, not even when the
    /// service is started again within the same second: a client that knows such an id gets `reset`.
    package static var firstByClock: UInt64 { UInt64(max(WallClock.microseconds, 1)) }

    package var listeners: Int { state.withLock { $0.listeners } }

    /// Bytes that the kept events take.
    package var size: Int { state.withLock { $0.record.size } }

    /// The id of the last event; 0 before the first.
    package var last: UInt64 { state.withLock { $0.record.next - 1 } }

    /// Sends `data`, which may have several lines, as an event called `name`. Returns its id.
    @discardableResult
    package func send(_ name: String, data: String) -> UInt64 { send(name) { _ in data } }

    /// The same with data that holds the event's id. `data` is called under the ring's lock, and only makes text.
    @discardableResult
    func send(_ name: String, data: (UInt64) -> String) -> UInt64 {
        let (id, asleep) = state.withLock { state in
            let frame = state.record.add { Self.frame(id: $0, name: name, data: data($0)) }
            return (frame.id, state.wakeAll())
        }
        for continuation in asleep { continuation.resume(returning: .look) }
        return id
    }

    /// Lets each listener that has had nothing to tell send a sign of life. To be called every 15 seconds or so.
    package func beat() {
        let asleep = state.withLock { $0.wakeAll() }
        for continuation in asleep { continuation.resume(returning: .silence) }
    }

    /// Gives signs of life until its task ends.
    package func beat(every interval: Duration, clock: some Clock<Duration> = ContinuousClock()) async {
        while (try? await clock.sleep(for: interval)) != nil { beat() }
    }

    /// Ends all streams once they have told what was sent before, and those that begin later too.
    package func end() {
        let asleep = state.withLock { state in
            state.ended = true
            return state.wakeAll()
        }
        for continuation in asleep { continuation.resume(returning: .look) }
    }

    /// Begins to listen. With the id of the last event that was heard, what came after it is told first, or `reset` when
    /// the ring no longer knows: then the listener has to ask for everything anew. Without, only what is to come.
    /// `isClient`: false for the service's own ears, which are not counted.
    package func listen(after last: UInt64? = nil, isClient: Bool = true) -> EventListener {
        let (heard, isReset) = state.withLock { state in
            if isClient { state.listeners += 1 }
            let newest = state.record.next - 1
            guard let last else { return (newest, false) }
            // Nobody has heard an event 0: all that is there is wanted.
            if last == 0 { return (state.record.oldest - 1, false) }
            return state.record.reaches(last) ? (last, false) : (newest, true)
        }
        let reset = isReset ? Self.reset(heard) : nil
        return EventListener(ring: self, heard: heard, first: reset, isClient: isClient)
    }

    /// Says that events are missing up to `id`.
    static func reset(_ id: UInt64) -> Frame { frame(id: id, name: "reset", data: "{}") }

    private static func frame(id: UInt64, name: String, data: String) -> Frame {
        Frame(id: id, bytes: ByteBuffer(string: ServerSentEvent.frame(id: id, name: name, data: data)))
    }
}

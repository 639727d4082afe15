package import NIOCore
internal import Synchronization

/// The position of one subscriber in the event log. For one task at a time.
package final class EventSubscriber: @unchecked Sendable {
    // Safe because the event log knows it by identity only, and one task at a time uses its mutable state.
    /// What a stream writes next.
    package enum Batch: Equatable, Sendable {
        /// One or more whole events as bytes of the stream.
        case events(ByteBuffer)
        /// No event since the last heartbeat.
        case silence
    }

    /// Bytes per batch, unless one event is larger.
    static let batchSize = 16_384

    private let broadcaster: EventBroadcaster
    private var received: UInt64
    /// The id of the last event before the first one of this subscriber.
    let start: UInt64
    private var first: EventBroadcaster.Frame?

    private let isClient: Bool

    init(broadcaster: EventBroadcaster, received: UInt64, first: EventBroadcaster.Frame?, isClient: Bool) {
        self.broadcaster = broadcaster
        self.received = received
        self.first = first
        self.isClient = isClient
        start = received
    }

    deinit { if isClient { broadcaster.state.withLock { $0.subscribers -= 1 } } }

    /// The next batch; nil if the event log has ended or the task is cancelled. If the event log no longer keeps the next event:
    /// `reset`, then the following events.
    package func next() async -> Batch? {
        if let frame = first {
            first = nil
            return .events(frame.bytes)
        }
        while !Task.isCancelled {
            switch poll() {
            case .events(let bytes, let last):
                received = last
                return .events(bytes)
            case .ended: return nil
            case .nothing: break
            }
            switch await sleep() {
            case .poll: break
            case .silence: return .silence
            case .stop: return nil
            }
        }
        return nil
    }

    private enum Poll {
        case events(ByteBuffer, last: UInt64)
        case nothing, ended
    }

    private func poll() -> Poll {
        broadcaster.state.withLock { state in
            guard state.record.reaches(received) else {
                let last = state.record.next - 1
                return .events(EventBroadcaster.reset(last).bytes, last: last)
            }
            if let batch = state.record.batch(after: received, size: Self.batchSize) {
                return .events(batch.bytes, last: batch.last)
            }
            return state.ended ? .ended : .nothing
        }
    }

    private func sleep() async -> EventBroadcaster.Wake {
        let id = ObjectIdentifier(self)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let wake: EventBroadcaster.Wake? = broadcaster.state.withLock { state in
                    // The handler below may have run before there was a continuation to resume.
                    if Task.isCancelled { return .stop }
                    // An event that came since `poll` wakes nothing that does not sleep yet.
                    if state.ended || state.record.next > received + 1 { return .poll }
                    state.asleep[id] = continuation
                    return nil
                }
                if let wake { continuation.resume(returning: wake) }
            }
        } onCancel: {
            broadcaster.state.withLock { $0.asleep.removeValue(forKey: id) }?.resume(returning: .stop)
        }
    }
}

package import NIOCore
internal import Synchronization

/// The position of one subscriber in the ring. For one task at a time.
package final class EventListener: @unchecked Sendable {
    // Safe because the ring knows it by identity only, and one task at a time uses its mutable state.
    package enum Batch: Equatable, Sendable {
        /// One or more whole events as bytes of the stream.
        case events(ByteBuffer)
        /// No event since the last heartbeat.
        case silence
    }

    /// Bytes per batch, unless one event is larger.
    static let batchSize = 16_384

    private let ring: EventRing
    private var heard: UInt64
    /// The id of the last event before the first one of this subscriber.
    let start: UInt64
    private var first: EventRing.Frame?

    private let isClient: Bool

    init(ring: EventRing, heard: UInt64, first: EventRing.Frame?, isClient: Bool) {
        (self.ring, self.heard, self.first, self.isClient) = (ring, heard, first, isClient)
        start = heard
    }

    deinit { if isClient { ring.state.withLock { $0.listeners -= 1 } } }

    /// The next batch; nil if the ring has ended or the task is cancelled. If the ring no longer keeps the next event:
    /// `reset`, then the following events.
    package func next() async -> Batch? {
        if let frame = first {
            first = nil
            return .events(frame.bytes)
        }
        while !Task.isCancelled {
            switch look() {
            case .events(let bytes, let last):
                heard = last
                return .events(bytes)
            case .ended: return nil
            case .nothing: break
            }
            switch await sleep() {
            case .look: break
            case .silence: return .silence
            case .stop: return nil
            }
        }
        return nil
    }

    private enum Look {
        case events(ByteBuffer, last: UInt64)
        case nothing, ended
    }

    private func look() -> Look {
        ring.state.withLock { state in
            guard state.record.reaches(heard) else {
                let last = state.record.next - 1
                return .events(EventRing.reset(last).bytes, last: last)
            }
            if let batch = state.record.batch(after: heard, size: Self.batchSize) {
                return .events(batch.bytes, last: batch.last)
            }
            return state.ended ? .ended : .nothing
        }
    }

    private func sleep() async -> EventRing.Wake {
        let id = ObjectIdentifier(self)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let wake: EventRing.Wake? = ring.state.withLock { state in
                    if Task.isCancelled { return .stop }
                    if state.ended || state.record.next > heard + 1 { return .look }
                    state.asleep[id] = continuation
                    return nil
                }
                if let wake { continuation.resume(returning: wake) }
            }
        } onCancel: {
            ring.state.withLock { $0.asleep.removeValue(forKey: id) }?.resume(returning: .stop)
        }
    }
}

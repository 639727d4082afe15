internal import DequeModule
internal import NIOCore

/// The last events, without thread or clock. Ids rise by one. Bounded by number and by bytes.
struct EventRecord {
    /// The bytes of an event in the stream.
    private enum StoredFrame {
        /// An array has less overhead than a buffer, and most events are small.
        case small([UInt8])
        /// One buffer, shared by all subscribers without a copy.
        case large(ByteBuffer)

        init(_ bytes: ByteBuffer) {
            let isSmall = bytes.readableBytes <= EventSubscriber.batchSize
            self = isSmall ? .small([UInt8](bytes.readableBytesView)) : .large(bytes)
        }

        var count: Int {
            switch self {
            case .small(let bytes): bytes.count
            case .large(let bytes): bytes.readableBytes
            }
        }

        var buffer: ByteBuffer {
            switch self {
            case .small(let bytes): ByteBuffer(bytes: bytes)
            case .large(let bytes): bytes
            }
        }

        /// Bytes in memory, including the head of the storage.
        var cost: Int { count + 64 }
    }

    private var frames = Deque<StoredFrame>()
    /// Ready to be written, and shared by all subscribers.
    private var newest: EventBroadcaster.Frame?
    private let capacity: Int
    private let maxSize: Int
    /// The id of the next event.
    private(set) var next: UInt64
    /// Bytes of the kept events in memory; at most `maxSize`, unless the newest one alone is larger.
    private(set) var size = 0

    /// `maxSize`: bytes. `first`: the id of the first event, 1 or more.
    init(capacity: Int, maxSize: Int = .max, first: UInt64 = 1) {
        self.capacity = max(capacity, 1)
        self.maxSize = maxSize
        next = first
    }

    /// The oldest id that is kept; `next` if there is none.
    var oldest: UInt64 { next - UInt64(frames.count) }

    mutating func add(_ make: (UInt64) -> EventBroadcaster.Frame) -> EventBroadcaster.Frame {
        let frame = make(next)
        let stored = StoredFrame(frame.bytes)
        if frames.count == capacity { dropOldest() }
        frames.append(stored)
        size += stored.cost
        newest = frame
        next += 1
        // The newest one stays: subscribers that keep up must get it.
        while size > maxSize, frames.count > 1 { dropOldest() }
        return frame
    }

    /// Keeps none of the events; the next one has this number. Subscribers at other places get `reset`.
    mutating func restart(next: UInt64) {
        frames.removeAll()
        newest = nil
        size = 0
        self.next = next
    }

    private mutating func dropOldest() { size -= frames.removeFirst().cost }

    /// Whether all events after `id` are kept. An id from the future belongs to another run of the service.
    func reaches(_ id: UInt64) -> Bool { id < next && id + 1 >= oldest }

    /// The bytes of the events after `id`, which is in reach: up to `size` bytes but at least one event, and the id of
    /// the last of these; nil if there are none.
    func batch(after id: UInt64, size: Int) -> (bytes: ByteBuffer, last: UInt64)? {
        guard id + 1 < next else { return nil }
        if let newest, newest.id == id + 1 { return (newest.bytes, newest.id) }
        var (bytes, last) = (frames[index(of: id + 1)].buffer, id + 1)
        while last + 1 < next {
            guard case .small(let frame) = frames[index(of: last + 1)], bytes.readableBytes + frame.count <= size else {
                break
            }
            bytes.writeBytes(frame)
            last += 1
        }
        return (bytes, last)
    }

    private func index(of id: UInt64) -> Int { Int(id - oldest) }
}

internal import NIOCore

/// The last events, without thread or clock. Ids rise by one.
struct EventRecord {
    /// As they go over the wire. Arrays have no room to spare, and there are many.
    private var frames: [[UInt8]] = []
    /// Ready to be written, and shared by all who listen.
    private var newest: EventRing.Frame?
    private let capacity: Int
    private let first: UInt64
    /// The id the next event gets.
    private(set) var next: UInt64

    /// `first`: the id of the first event, 1 or more.
    init(capacity: Int, first: UInt64 = 1) {
        (self.capacity, self.first, next) = (max(capacity, 1), first, first)
    }

    /// The oldest id that is still there; `next` when there is none.
    var oldest: UInt64 { next - UInt64(frames.count) }

    mutating func add(_ make: (UInt64) -> EventRing.Frame) -> EventRing.Frame {
        let frame = make(next)
        let bytes = [UInt8](frame.bytes.readableBytesView)
        if frames.count < capacity { frames.append(bytes) } else { frames[slot(next)] = bytes }
        newest = frame
        next += 1
        return frame
    }

    /// Whether everything after `id` is there. An id that has not been yet is another run's.
    func reaches(_ id: UInt64) -> Bool { id < next && id + 1 >= oldest }

    /// The bytes of the events after `id`, which is in reach, up to `size` of them but one event at least, and the id
    /// of the last of these; nil when there are none.
    func batch(after id: UInt64, size: Int) -> (bytes: ByteBuffer, last: UInt64)? {
        guard id + 1 < next else { return nil }
        if let newest, newest.id == id + 1 { return (newest.bytes, newest.id) }
        var (bytes, last) = (ByteBuffer(bytes: frames[slot(id + 1)]), id + 1)
        while last + 1 < next {
            let frame = frames[slot(last + 1)]
            guard bytes.readableBytes + frame.count <= size else { break }
            bytes.writeBytes(frame)
            last += 1
        }
        return (bytes, last)
    }

    private func slot(_ id: UInt64) -> Int { Int((id - first) % UInt64(capacity)) }
}

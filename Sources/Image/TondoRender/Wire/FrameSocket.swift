internal import CLinux
internal import Glibc

/// Why a socket gave no frame.
package enum FrameSocketError: Error, Equatable, Sendable {
    /// The other side ended.
    case closed
    /// The deadline has passed.
    case late
    /// The other side sent what it may not send.
    case malformed(String)
    case system(Int32)
}

/// Sends and receives frames on a connected stream socket. Used by one thread at a time; blocks.
struct FrameSocket: ~Copyable {
    private let socket: Int32
    /// When every call ends; nil: never.
    var deadline: SuspendingClock.Instant?
    private var buffer: UnsafeMutableRawBufferPointer
    private var filled = 0..<0
    /// Descriptors are received, and are here until they are taken: the next request may have come with a part of this one.
    private let takesDescriptors: Bool
    /// Calls that wait end after `longestCall`.
    private let isTimed: Bool
    /// Short against every deadline of a photo; seconds.
    private static let longestCall = 1
    /// Called when nothing has come for that long, before it waits on.
    private let idle: () -> Void
    private var descriptors: [Int32] = []
    /// Sent with the next frame: each message wakes the other side.
    private var held: [[UInt8]] = []

    /// A worker makes it before it is confined, since it sets an option.
    init(socket: Int32, takesDescriptors: Bool, idle: @escaping () -> Void = {}) {
        self.socket = socket
        self.takesDescriptors = takesDescriptors
        self.idle = idle
        var limit = timeval(tv_sec: Self.longestCall, tv_usec: 0)
        isTimed = setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size)) == 0
        buffer = .init(start: nil, count: 0)
    }

    deinit {
        buffer.deallocate()
        for descriptor in descriptors { close(descriptor) }
    }

    /// Sends it together with the next frame.
    mutating func hold(_ kind: Frame.Kind, request: UInt64, body: [UInt8]) {
        held += [Frame(kind: kind, request: request, length: body.count).bytes, body]
    }

    /// `payload`: follows the body without being counted in its length.
    mutating func send(
        _ kind: Frame.Kind, request: UInt64, body: [UInt8], payload: UnsafeRawBufferPointer? = nil,
        descriptor: Int32 = -1
    ) throws(FrameSocketError) {
        hold(kind, request: request, body: body)
        var failure: FrameSocketError?
        Self.withParts(held[...]) { parts in
            if let payload { parts.append(Self.part(payload)) }
            do throws(FrameSocketError) { try sendAll(&parts, to: descriptor) } catch { failure = error }
        }
        held = []
        if let failure { throw failure }
    }

    /// Calls `body` with the parts of a message: the bytes of these arrays, which are not copied.
    private static func withParts(_ bytes: ArraySlice<[UInt8]>, _ parts: [iovec] = [], body: (inout [iovec]) -> Void) {
        var parts = parts
        guard let first = bytes.first else { return body(&parts) }
        first.withUnsafeBytes { withParts(bytes.dropFirst(), parts + [part($0)], body: body) }
    }

    private static func part(_ bytes: UnsafeRawBufferPointer) -> iovec {
        iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
    }

    private func sendAll(_ parts: inout [iovec], to descriptor: Int32) throws(FrameSocketError) {
        var (first, descriptor) = (0, descriptor)
        while true {
            while first < parts.count, parts[first].iov_len == 0 { first += 1 }
            if first == parts.count { return }
            let sent = parts[first...].withUnsafeBufferPointer {
                clinux_sendmsg(socket, $0.baseAddress, Int32($0.count), descriptor)
            }
            if sent < 0 {
                try wait(for: Int16(POLLOUT), error: errno)
                continue
            }
            // It went with the first bytes; with the rest it would arrive twice.
            descriptor = -1
            var left = sent
            for index in first..<parts.count where left > 0 {
                let step = min(left, parts[index].iov_len)
                parts[index].iov_base += step
                parts[index].iov_len -= step
                left -= step
            }
        }
    }

    /// After a call that failed with `error`: returns if it may succeed now.
    private func wait(for events: Int16, error: Int32) throws(FrameSocketError) {
        switch error {
        case EINTR: return
        case EAGAIN: break
        case EPIPE, ECONNRESET: throw .closed
        default: throw .system(error)
        }
        while true {
            let left = deadline.map { max($0 - .now, .zero) }
            var item = pollfd(fd: socket, events: events, revents: 0)
            // poll(2) takes 32 bits, and a deadline may be further away.
            let milliseconds = left.map { min($0 / .milliseconds(1), 1e9).rounded(.up) } ?? -1
            let count = poll(&item, 1, Int32(milliseconds))
            if count > 0 { return }
            if count < 0, errno != EINTR { throw .system(errno) }
            // Asked once more after the deadline: the answer may have come while this process was stopped.
            if count == 0, left == .zero { throw .late }
        }
    }

    /// `limit`: bytes of the body.
    mutating func receive(limit: Int) throws(FrameSocketError) -> Frame {
        let bytes = try receive(count: Frame.size)
        do { return try Frame(bytes, limit: limit) } catch { throw .malformed(error.what) }
    }

    mutating func receive(count: Int) throws(FrameSocketError) -> [UInt8] {
        var failure: FrameSocketError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
            do throws(FrameSocketError) {
                try receive(into: UnsafeMutableRawBufferPointer(start: target.baseAddress, count: count))
                initialized = count
            } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Fills `target`.
    mutating func receive(into target: UnsafeMutableRawBufferPointer) throws(FrameSocketError) {
        if buffer.isEmpty { buffer = .allocate(byteCount: 32 << 10, alignment: 16) }
        var done = 0
        while done < target.count {
            if filled.isEmpty {
                // Long parts need no detour.
                let rest = UnsafeMutableRawBufferPointer(rebasing: target[done...])
                if rest.count >= buffer.count {
                    done += try receiveSome(into: rest)
                    continue
                }
                filled = 0..<(try receiveSome(into: buffer))
            }
            let step = min(filled.count, target.count - done)
            UnsafeMutableRawBufferPointer(rebasing: target[done..<done + step])
                .copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: buffer[filled.lowerBound..<filled.lowerBound + step]))
            filled = filled.lowerBound + step..<filled.upperBound
            done += step
        }
    }

    private mutating func receiveSome(into target: UnsafeMutableRawBufferPointer) throws(FrameSocketError) -> Int {
        // Most answers take a while: waiting in this call saves a poll and a second call for each. Without an answer after that
        // time, `wait` goes on to the deadline.
        let waits: Int32 = deadline.map { isTimed && $0 - .now > .seconds(Self.longestCall) } ?? true ? 1 : 0
        while true {
            var received: Int32 = -1
            let count =
                takesDescriptors
                ? clinux_recvmsg(socket, target.baseAddress, target.count, waits, &received)
                : clinux_recvmsg(socket, target.baseAddress, target.count, waits, nil)
            if count == 0 { throw .closed }
            if count > 0 {
                if received >= 0 { descriptors.append(received) }
                return count
            }
            let error = errno
            if waits == 1, error == EAGAIN { idle() }
            try wait(for: Int16(POLLIN), error: error)
        }
    }

    /// The first descriptor that came and was not taken, if any; the caller closes it.
    mutating func takeDescriptor() -> Int32? { descriptors.isEmpty ? nil : descriptors.removeFirst() }
}

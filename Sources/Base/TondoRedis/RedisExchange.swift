internal import Glibc

/// The connection of a pipeline, and the calls on it. For one thread.
final class RedisExchange {
    private typealias Deadline = ContinuousClock.Instant

    private struct Link {
        let socket: RedisSocket
        let reader: ReplyReader
        /// Replies of AUTH and SELECT that have not come yet.
        var greetings: Int
    }

    private struct Pending {
        let completion: RedisPipeline.Call.Completion
        let deadline: Deadline
    }

    private let pool: RedisPool
    private var link: Link?
    /// Calls without a reply, in the order of their commands.
    private var pending: [Pending] = []
    private var outgoing: [UInt8] = []
    /// When the last commands were sent.
    private var last = Deadline.now
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    /// Bytes of the next reply at the start of the buffer.
    private var held = 0
    /// Bytes of one reply.
    private static let limit = 64 << 20

    init(pool: RedisPool) { self.pool = pool }

    deinit { buffer.deallocate() }

    /// No reply is missing.
    var isIdle: Bool { pending.isEmpty }

    /// Sends the commands of these works. Returns how many of them have ended.
    func begin(_ works: [RedisPipeline.Work]) -> Int {
        var calls: [RedisPipeline.Call] = []
        for work in works { if let call = work() { calls.append(call) } }
        let ended = works.count - calls.count
        if calls.isEmpty { return ended }
        let start = ContinuousClock.now
        guard pool.begin(calls.count, at: start) else { return ended + end(calls.map(\.completion), with: .suspended) }
        let deadline = start + pool.time
        // After a pause the server may have closed it, which this thread has not seen yet.
        if pending.isEmpty, start > last + .milliseconds(5), link?.socket.isStale == true { link = nil }
        last = start
        do throws(RedisError) {
            try connect(by: deadline)
        } catch {
            pool.failed(error, calls: calls.count)
            return ended + end(calls.map(\.completion), with: error)
        }
        for call in calls {
            outgoing += call.command.encoded
            pending.append(Pending(completion: call.completion, deadline: deadline))
        }
        do throws(RedisError) { try send() } catch { return ended + fail(error) }
        return ended
    }

    private func end(_ completions: [RedisPipeline.Call.Completion], with error: RedisError) -> Int {
        for completion in completions { completion(.failure(error)) }
        return completions.count
    }

    private func connect(by deadline: Deadline) throws(RedisError) {
        guard link == nil else { return }
        let socket = try RedisSocket(to: pool.address.endpoint, by: deadline)
        let greeting = pool.address.greeting
        link = Link(
            socket: socket, reader: try ReplyReader(limit: Self.limit, keepsBuffer: true), greetings: greeting.count)
        pool.connected()
        held = 0
        outgoing = greeting.flatMap(\.encoded)
    }

    private func send() throws(RedisError) {
        guard let link, !outgoing.isEmpty else { return }
        let count = try link.socket.sendSome(outgoing)
        if count == outgoing.count { outgoing.removeAll(keepingCapacity: true) } else { outgoing.removeFirst(count) }
    }

    /// Why a sleep ended; neither: its time is over.
    struct Awakening {
        var isCalled = false
        /// There is something to do here.
        var isReady = false
    }

    /// Sleeps until there is something to do here or at `descriptor`, until the first call is late, or for `time`.
    func wait(or descriptor: Int32, atMost time: Duration) -> Awakening {
        let events = Int16(outgoing.isEmpty ? POLLIN : POLLIN | POLLOUT)
        var items = (
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: link?.socket.descriptor ?? -1, events: events, revents: 0)
        )
        let left = pending.first.map { min(time, ContinuousClock.now.duration(to: $0.deadline)) } ?? time
        let milliseconds = Int32(max((left / .milliseconds(1)).rounded(.up), 0))
        let count = withUnsafeMutablePointer(to: &items) {
            $0.withMemoryRebound(to: pollfd.self, capacity: 2) { poll($0, 2, milliseconds) }
        }
        // A late call ends however often others come meanwhile.
        let isLate = pending.first.map { $0.deadline <= .now } ?? false
        guard count > 0 else { return Awakening(isReady: isLate) }
        return Awakening(isCalled: items.0.revents != 0, isReady: items.1.revents != 0 || isLate)
    }

    /// Takes what has come, and ends late calls. Returns how many have ended.
    func receive() -> Int {
        var ended = 0
        do throws(RedisError) {
            try send()
            ended = try takeReplies()
            // What lies in the socket has come in time.
            while let first = pending.first, first.deadline <= .now {
                let more = try takeReplies()
                if more == 0 { break }
                ended += more
            }
            if let first = pending.first, first.deadline <= .now { throw .timedOut }
            return ended
        } catch { return ended + fail(error) }
    }

    private func takeReplies() throws(RedisError) -> Int {
        guard let link else { return 0 }
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer[held...])
        guard let count = try link.socket.receiveSome(into: room) else { return 0 }
        var values = try values(in: UnsafeRawBufferPointer(rebasing: buffer[..<(held + count)]), link.reader)
        let greetings = min(link.greetings, values.count)
        for case .error(let text) in values.prefix(greetings) { throw .denied(text) }
        self.link?.greetings -= greetings
        values.removeFirst(greetings)
        guard values.count <= pending.count else { throw .malformed("a reply without a command") }
        return pass(values)
    }

    /// Bulk strings are copied once; everything else, and what is longer than half of the buffer, hiredis reads.
    private func values(
        in bytes: UnsafeRawBufferPointer, _ reader: ReplyReader
    ) throws(RedisError) -> [RedisValue] {
        var (values, rest) = ([RedisValue](), bytes)
        held = 0
        while !rest.isEmpty {
            if reader.isEmpty, let size = BulkString.size(rest), size <= buffer.count / 2 {
                guard size <= rest.count else {
                    held = rest.count
                    if rest.count < bytes.count { buffer.copyMemory(from: rest) }
                    break
                }
                values.append(.bulk(try BulkString.content(UnsafeRawBufferPointer(rebasing: rest[..<size]))))
                rest = UnsafeRawBufferPointer(rebasing: rest[size...])
            } else {
                try reader.feed(rest)
                rest = UnsafeRawBufferPointer(rebasing: rest[rest.count...])
                while let value = try reader.next() { values.append(value) }
            }
        }
        return values
    }

    private func pass(_ values: [RedisValue]) -> Int {
        if values.isEmpty { return 0 }
        let answered = Array(pending.prefix(values.count))
        pending.removeFirst(values.count)
        let outage = values.first(where: \.isOutage)
        if outage == nil { pool.succeeded() }
        for (call, value) in zip(answered, values) { call.completion(.success(value)) }
        // A replica that was the master, say: the next connection may lead to the new one.
        guard case .error(let text) = outage else { return values.count }
        return values.count + fail(.refused(text), isCertain: true)
    }

    /// Closes the connection, since a late reply would be taken for that of the next command. Returns how many calls have
    /// ended. A connection that the server closes while no reply is missing is no error, unless `isCertain`.
    private func fail(_ error: RedisError, isCertain: Bool = false) -> Int {
        let failed = pending
        link = nil
        pending = []
        outgoing = []
        held = 0
        if isCertain || !failed.isEmpty { pool.failed(error, calls: failed.count) }
        return end(failed.map(\.completion), with: error)
    }
}

/// A bulk string of RESP: `$`, the number of bytes, CR LF, the bytes, CR LF.
private enum BulkString {
    /// Bytes of the whole reply that begins here; nil: it is another one, or its number has not come.
    static func size(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard bytes.first == UInt8(ascii: "$") else { return nil }
        var (number, offset) = (0, 1)
        // A number of more digits exceeds the limit of a reply, which `ReplyReader` checks.
        while offset < min(bytes.count, 10), 0x30...0x39 ~= bytes[offset] {
            number = 10 * number + Int(bytes[offset] - 0x30)
            offset += 1
        }
        guard offset > 1, offset + 1 < bytes.count, bytes[offset] == 0x0D, bytes[offset + 1] == 0x0A else { return nil }
        return offset + 2 + number + 2
    }

    /// `bytes`: of a whole reply.
    static func content(_ bytes: UnsafeRawBufferPointer) throws(RedisError) -> [UInt8] {
        guard bytes.suffix(2).elementsEqual([0x0D, 0x0A]), let start = bytes.firstIndex(of: 0x0A) else {
            throw .malformed("a bulk string without an end")
        }
        return [UInt8](bytes[(start + 1)..<(bytes.count - 2)])
    }
}

package import NIOCore
internal import NIOHTTP1
internal import Synchronization

/// The memory of responses that clients have not taken yet, for the service and for each client. Usable from any thread.
///
/// What has no room is refused with 503, instead of memory that the kernel takes back by ending the process.
package final class OutputBudget: Sendable {
    /// The two bounds; they do not change while the service runs.
    package struct Limits: Equatable, Sendable {
        /// Bytes of the service.
        package var total = 192 << 20
        /// Bytes of one client. At least half of the total, see `admits`.
        package var client = 96 << 20

        package init() {}
    }

    /// Smaller buffers are counted, not known one by one.
    static let least = 16 << 10

    /// Bodies of so many bytes, such as health, are always admitted: the refusal would take as much.
    static let ofRefusal = 512

    package let limits: Limits
    private let ledger: Mutex<OutputLedger>
    /// A copy of the ledger's total, for requests that need no lock.
    private let total = Atomic<Int>(0)
    private let refusals = Atomic<Int>(0)

    package init(limits: Limits = Limits()) {
        self.limits = limits
        ledger = Mutex(OutputLedger(limits: limits))
    }

    /// Bytes of responses in memory.
    package var pending: Int { total.load(ordering: .relaxed) }

    /// Responses that were refused.
    package var refused: Int { refusals.load(ordering: .relaxed) }

    /// More than half is taken: clients have to read faster than usual.
    var isPressed: Bool { pending > limits.total / 2 }

    /// Whether there is room for a response with this body. As long as half of the total is free, no client has more than its
    /// part, so the lock is not needed.
    func admits(_ buffer: ByteBuffer, for client: @autoclosure () -> OutputClient) -> Bool {
        if pending + buffer.readableBytes <= limits.total / 2 { return true }
        let client = client()
        return count(
            ledger.withLock { ledger in
                buffer.readableBytes < Self.least
                    ? ledger.admits(buffer.readableBytes, for: client) : ledger.admits(buffer, for: client)
            })
    }

    /// Whether a body is admitted of which only the length is known.
    func admits(_ bytes: Int, for client: @autoclosure () -> OutputClient) -> Bool {
        if pending + bytes <= limits.total / 2 { return true }
        let client = client()
        return count(ledger.withLock { $0.admits(bytes, for: client) })
    }

    private func count(_ isAdmitted: Bool) -> Bool {
        if !isAdmitted { refusals.wrappingAdd(1, ordering: .relaxed) }
        return isAdmitted
    }

    func add(_ buffer: ByteBuffer, for client: OutputClient) { change { $0.add(buffer, for: client) } }

    func remove(_ id: OutputLedger.ID, of client: OutputClient) { change { $0.remove(id, of: client) } }

    /// `bytes` may be negative.
    func add(_ bytes: Int, for client: OutputClient) { if bytes != 0 { change { $0.add(bytes, for: client) } } }

    private func change(_ change: (inout OutputLedger) -> Void) {
        ledger.withLock { ledger in
            change(&ledger)
            total.store(ledger.total, ordering: .relaxed)
        }
    }

    /// The bytes of the avatar `name` in one buffer for all responses that show it, which counts as long as the result or a
    /// connection holds it. Nil: there is no room.
    package func body(_ bytes: [UInt8], named name: String) -> OutputBody? {
        guard bytes.count >= Self.least else { return OutputBody(bytes: ByteBuffer(bytes: bytes), of: nil) }
        if let known = shared(name) { return known }
        guard admits(bytes.count, for: .service) else { return nil }
        // Copied outside of the lock; meanwhile the copy counts by its length.
        add(bytes.count, for: .service)
        defer { add(-bytes.count, for: .service) }
        let copy = ByteBuffer(bytes: bytes)
        if let known = shared(name) { return known }
        change { $0.add(copy, for: .service, named: name) }
        return OutputBody(bytes: copy, of: self)
    }

    private func shared(_ name: String) -> OutputBody? {
        let known = ledger.withLock { ledger -> ByteBuffer? in
            guard let buffer = ledger.buffer(named: name) else { return nil }
            ledger.add(buffer, for: .service)
            return buffer
        }
        return known.map { OutputBody(bytes: $0, of: self) }
    }
}

/// Bytes of a response that is being made. They count until it is released; a connection counts them from then on.
package final class OutputBody: Sendable {
    /// A large avatar is in one buffer for all responses that show it.
    package let bytes: ByteBuffer
    private let budget: OutputBudget?

    fileprivate init(bytes: ByteBuffer, of budget: OutputBudget?) {
        self.bytes = bytes
        self.budget = budget
    }

    deinit { budget?.remove(OutputLedger.ID(bytes), of: .service) }
}

extension ProblemDetails {
    /// Pending responses take all memory that they may.
    static let outputFull = ProblemDetails(.serviceUnavailable, code: "output-full", retryAfter: 2)
}

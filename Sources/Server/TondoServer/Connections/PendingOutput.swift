internal import NIOCore

/// What one connection has written and its socket has not taken, as far as it counts in the budget.
///
/// Most responses are taken by the socket at once. So nothing is counted before a flush has left something, and the channel is
/// asked for that only once a few kilobytes were written.
struct PendingOutput {
    private struct Part {
        /// The number of bytes of the connection up to here.
        let end: Int
        let buffer: ByteBuffer
        var isCounted = false
    }

    private let budget: OutputBudget
    /// Large buffers, the oldest first.
    private var parts = CircularBuffer<Part>(initialCapacity: 2)
    private var partBytes = 0
    private var written = 0
    private var unchecked = 0
    /// The bytes that count without a buffer.
    private var small = 0
    /// Bytes that the socket has not taken, at the last `settle`.
    private(set) var bytes = 0

    init(budget: OutputBudget) { self.budget = budget }

    /// Bytes that the socket has taken, at the last `settle`.
    var taken: Int { written - bytes }

    /// Whether `settle` is needed after a flush.
    var isDue: Bool { bytes > 0 || unchecked >= OutputBudget.least }

    mutating func wrote(_ buffer: ByteBuffer) {
        let count = buffer.readableBytes
        written += count
        unchecked += count
        guard count >= OutputBudget.least else { return }
        parts.append(Part(end: written, buffer: buffer))
        partBytes += count
    }

    /// `buffered`: the bytes that the channel has not passed to its socket.
    mutating func settle(buffered: Int, of client: OutputClient) {
        unchecked = 0
        bytes = buffered
        while let part = parts.first, part.end <= taken {
            parts.removeFirst()
            partBytes -= part.buffer.readableBytes
            if part.isCounted { budget.remove(OutputLedger.ID(part.buffer), of: client) }
        }
        for index in parts.indices where !parts[index].isCounted {
            budget.add(parts[index].buffer, for: client)
            parts[index].isCounted = true
        }
        // Beyond the large parts there are only heads and small bodies, which no buffer of the ledger stands for.
        let rest = max(buffered - partBytes, 0)
        budget.add(rest - small, for: client)
        small = rest
    }

    /// The connection is gone.
    mutating func end(of client: OutputClient) {
        written = 0
        for part in parts where part.isCounted { budget.remove(OutputLedger.ID(part.buffer), of: client) }
        parts.removeAll()
        budget.add(-small, for: client)
        partBytes = 0
        small = 0
        bytes = 0
        unchecked = 0
    }
}

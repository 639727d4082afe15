package import NIOCore
internal import Synchronization

/// A limit that may be another one later. Usable from any thread.
package final class AdjustableLimit: Sendable {
    private let limit: Atomic<Int>

    package init(_ limit: Int) { self.limit = Atomic(limit) }

    package var value: Int {
        get { limit.load(ordering: .relaxed) }
        set { limit.store(newValue, ordering: .relaxed) }
    }
}

/// What one client may take of the service.
package struct ConnectionLimits: Sendable {
    /// On all listeners together; who comes then is turned away.
    package var connections = AdjustableLimit(8_192)
    /// Without a request.
    package var idle = TimeAmount.seconds(75)
    /// From a request's first byte to the end of its head.
    package var head = TimeAmount.seconds(10)
    /// From the end of a head to the end of the body.
    package var body = TimeAmount.seconds(20)
    /// Without reading anything of an answer that waits.
    package var stall = TimeAmount.seconds(30)
    /// For a client that was refused, to read why.
    package var linger = TimeAmount.seconds(2)
    /// For answers that are under way when the service ends.
    package var grace = TimeAmount.seconds(10)
    /// Bytes of a request's target.
    package var target = 4_096
    /// Bytes of one header field, and of all of them.
    package var field = 8_192
    package var fields = 32_768
    package var fieldCount = 100
    /// Bytes of a request's body.
    package var bodyBytes = 65_536

    package init() {}
}

package import NIOCore
internal import NIOHTTP1
internal import Synchronization

/// A limit that can be changed while it is used. Usable from any thread.
package final class AdjustableLimit: Sendable {
    private let limit: Atomic<Int>

    package init(limit: Int) { self.limit = Atomic(limit) }

    /// A lower value ends no connection; it applies to the next ones.
    package var value: Int {
        get { limit.load(ordering: .relaxed) }
        set { limit.store(newValue, ordering: .relaxed) }
    }
}

/// Limits of one connection.
package struct ConnectionLimits: Sendable {
    /// Maximum of all listeners together; further connections are closed at once.
    package var connections = AdjustableLimit(limit: 8_192)
    /// Time without a request.
    package var idle = TimeAmount.seconds(75)
    /// Time from the first byte of a request to the end of its head.
    package var head = TimeAmount.seconds(10)
    /// Time from the end of a head to the end of the body.
    package var body = TimeAmount.seconds(20)
    /// Time over which the rate is measured at which a client reads a pending response.
    package var stall = TimeAmount.seconds(30)
    /// Minimum bytes a second of a client that reads.
    package var rate = 1_024
    /// The lowest rate while pending responses take more than half of the memory that they may: a few slow clients must
    /// not keep all others waiting.
    package var pressedRate = 16_384
    /// The memory of pending responses.
    package var output = OutputBudget()
    /// Time for a refused client to read the response.
    package var linger = TimeAmount.seconds(2)
    /// Time for running responses when the service ends.
    package var grace = TimeAmount.seconds(10)
    /// Maximum bytes of a request's target.
    package var target = 4_096
    /// Maximum bytes of all header fields of a request. One may have all of them: browsers send the cookies of all programs of a
    /// machine, whose ports are no part of its name, in one field.
    package var fields = 32_768
    /// Maximum number of header fields of a request.
    package var fieldCount = 100
    /// Maximum bytes of a request's body.
    package var bodyBytes = 65_536
    /// Maximum bytes of a body that is a photo, see `isPhoto`.
    package var photoBytes = 20 << 20
    /// As `body`, for a body that is a photo: phones send it through slow networks.
    package var photo = TimeAmount.seconds(120)

    package init() {}
}

extension ConnectionLimits {
    /// The limits of the body of this request.
    func body(of head: HTTPRequestHead) -> (bytes: Int, time: TimeAmount) {
        Self.isPhoto(head) ? (photoBytes, photo) : (bodyBytes, body)
    }

    /// `PUT /v1/contacts/{id}/photo` and `POST /v1/photos/preview`.
    private static func isPhoto(_ head: HTTPRequestHead) -> Bool {
        guard head.method == .PUT || head.method == .POST else { return false }
        let path = head.uri.prefix { $0 != "?" }
        if head.method == .POST { return path == "/v1/photos/preview" }
        return path.hasPrefix("/v1/contacts/") && path.hasSuffix("/photo")
    }
}

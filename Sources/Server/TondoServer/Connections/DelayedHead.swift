internal import NIOCore
internal import NIOHTTP1

/// The head of a large response, kept back until its body is here: then the response is written or refused as a whole.
struct DelayedHead {
    let head: HTTPResponseHead
    let promise: EventLoopPromise<Void>?
    /// The length of the body that it announces.
    let length: Int

    /// Nil: the body is small, or has no length.
    init?(_ head: HTTPResponseHead, framing: ResponseFraming, promise: EventLoopPromise<Void>?) {
        guard framing.hasBody, let length = head.headers.first(name: "Content-Length").flatMap({ Int($0) }),
            length >= OutputBudget.least
        else { return nil }
        self.head = head
        self.promise = promise
        self.length = length
    }

    /// Whether there is memory for the response, whose body begins with, or is, `body`.
    func isAdmitted(by watch: ConnectionWatch, _ body: IOData) -> Bool {
        guard case .byteBuffer(let bytes) = body, bytes.readableBytes == length else { return watch.admits(length) }
        return watch.admits(bytes)
    }
}

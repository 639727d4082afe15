import Dispatch
import NIOCore
import NIOHTTP1
import Synchronization

/// Passes the parts of responses from the event loop to the thread of a client. At most the bytes of one read are
/// pending.
final class ResponseParts: ChannelInboundHandler, Sendable {
    typealias InboundIn = HTTPClientResponsePart

    private let received = Mutex<[Result<HTTPClientResponsePart, ClientError>]>([])
    /// Counts what was received and not taken.
    private let count = DispatchSemaphore(value: 0)
    private let timeout: Int

    /// `timeout`: seconds.
    init(timeout: Int) { self.timeout = timeout }

    /// The next part. Blocks the calling thread.
    func next(from channel: any Channel) throws(ClientError) -> HTTPClientResponsePart {
        // Reads only when nothing is left, so that a slow reader slows the service down instead of filling memory.
        if count.wait(timeout: .now()) == .timedOut {
            channel.read()
            guard count.wait(timeout: .now() + .seconds(timeout)) == .success else { throw .silent }
        }
        return try received.withLock { received in
            // The end of the connection is the last element, for every later call.
            if received.count == 1, case .failure = received[0] {
                count.signal()
                return received[0]
            }
            return received.removeFirst()
        }.get()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { add(.success(Self.unwrapInboundIn(data))) }

    /// Reads again if the bytes were not enough for a part.
    func channelReadComplete(context: ChannelHandlerContext) {
        if received.withLock(\.isEmpty) { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        add(.failure(ClientError(error)))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { add(.failure(.ended)) }

    private func add(_ part: Result<HTTPClientResponsePart, ClientError>) {
        received.withLock { $0.append(part) }
        count.signal()
    }
}

import NIOCore
import NIOHTTP1
import NIOPosix

/// Sends requests to a running service, one after the other on one connection. For one thread; blocks it, at most for
/// the timeout each time.
final class ServiceClient {
    struct Response {
        let head: HTTPResponseHead
        fileprivate(set) var body: [UInt8] = []

        var status: Int { Int(head.status.code) }
    }

    let address: ServiceAddress
    private let channel: any Channel
    private let parts: ResponseParts

    /// Maximum bytes of a response that is kept as a whole.
    private static let largest = 16 << 20
    private static let eventLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// `timeout`: the timeout in seconds of connecting, and of each part of a response.
    init(address: ServiceAddress, timeout: Int = 10) throws(ClientError) {
        self.address = address
        let parts = ResponseParts(timeout: timeout)
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldCount = 100
        limits.maxHeaderFieldSize = 65_536
        let bootstrap = ClientBootstrap(group: Self.eventLoop)
            .connectTimeout(.seconds(Int64(timeout)))
            // Bytes are read on demand, so that a stream of events waits for a reader that is slower.
            .channelOption(.autoRead, value: false)
            .channelInitializer { [limits] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers(decoderLimitConfiguration: limits)
                    try channel.pipeline.syncOperations.addHandler(parts)
                }
            }
        do {
            switch address {
            case .tcp(let host, let port): channel = try bootstrap.connect(host: host, port: port).wait()
            case .unix(let path): channel = try bootstrap.connect(unixDomainSocketPath: path).wait()
            }
        } catch { throw ClientError(error) }
        self.parts = parts
    }

    deinit { channel.close(promise: nil) }

    /// The whole response.
    func get(_ path: String) throws(ClientError) -> Response { try whole(begin(path)) }

    /// The whole response to a request without a body.
    func post(_ path: String, fields: [(String, String)] = []) throws(ClientError) -> Response {
        try whole(begin(path, method: .POST, fields: [("Content-Length", "0")] + fields))
    }

    private func whole(_ begun: Response) throws(ClientError) -> Response {
        var response = begun
        while let piece = try read() {
            response.body += piece
            guard response.body.count <= Self.largest else { throw .malformed }
        }
        return response
    }

    /// The response without its body, which `read` returns.
    func begin(
        _ path: String, method: HTTPMethod = .GET, fields: [(String, String)] = []
    ) throws(ClientError) -> Response {
        var head = HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: ["Host": address.host])
        for (name, value) in fields { head.headers.replaceOrAdd(name: name, value: value) }
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
        guard case .head(let head) = try parts.next(from: channel) else { throw .malformed }
        return Response(head: head)
    }

    /// The next piece of the body; nil at its end.
    func read() throws(ClientError) -> [UInt8]? {
        guard case .body(let bytes) = try parts.next(from: channel) else { return nil }
        return Array(bytes.readableBytesView)
    }
}

import NIOCore
import NIOPosix
import TondoServer

/// A client that sends any given bytes unchanged.
struct RawClient {
    let channel: any Channel
    private let inbox: Inbox

    init(_ address: SocketAddress) async throws {
        let inbox = Inbox()
        self.inbox = inbox
        channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in channel.pipeline.addHandler(inbox) }
            .connect(to: address).get()
    }

    func send(_ text: String) async throws {
        try await channel.writeAndFlush(ByteBuffer(string: text))
    }

    /// What came, once `enough` says so or the server closed. `enough` looks at all of it whenever something comes, on the
    /// loop that also serves: `suffix` spares it most of a long answer.
    func read(
        endingWith suffix: String = "", until enough: @escaping @Sendable (String) -> Bool
    ) async throws -> String {
        let loop = channel.eventLoop
        let bytes = try await loop.flatSubmit { [inbox] in
            let end = Array(suffix.utf8)
            return inbox.wait(
                for: { $0.readableBytesView.suffix(end.count).elementsEqual(end) && enough(Self.text($0)) }, loop)
        }.get()
        return Self.text(bytes)
    }

    /// A scalar for each byte, so that pictures come through.
    fileprivate static func text(_ bytes: ByteBuffer) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: bytes.readableBytesView.lazy.map { Unicode.Scalar($0) })
        return text
    }

    func readToEnd() async throws -> String { try await read { _ in false } }

    /// One whole answer with a length, taken off what came.
    func response() async throws -> RawResponse {
        let loop = channel.eventLoop
        let bytes = try await loop.flatSubmit { [inbox] in
            inbox.wait(
                for: { bytes in RawResponse.length(startOf: bytes).map { bytes.readableBytes >= $0 } ?? false }, loop)
        }.get()
        guard let response = RawResponse(startOf: bytes) else { throw Failure.notAResponse(Self.text(bytes)) }
        try await loop.submit { [inbox] in inbox.bytes.moveReaderIndex(forwardBy: response.length) }.get()
        return response
    }

    func get(_ target: String, method: String = "GET", fields: String = "") async throws -> RawResponse {
        try await send("\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
        return try await response()
    }

    /// The head of an answer that has no body, whatever length it says.
    func head(_ target: String, fields: String = "") async throws -> RawResponse {
        try await send("HEAD \(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
        let text = try await read { $0.unicodeScalars.suffix(4).elementsEqual("\r\n\r\n".unicodeScalars) }
        guard let response = RawResponse(head: text) else { throw Failure.notAResponse(text) }
        try await channel.eventLoop.submit { [inbox] in inbox.bytes.clear() }.get()
        return response
    }

    func close() async throws { try await channel.close() }

    enum Failure: Error { case notAResponse(String) }
}

/// An answer as it came over the wire.
struct RawResponse: Equatable {
    let status: Int
    let head: String
    let bytes: [UInt8]

    /// A scalar is a byte.
    var body: String { RawClient.text(ByteBuffer(bytes: bytes)) }

    var length: Int { head.unicodeScalars.count + 4 + bytes.count }

    init?(head text: String) {
        guard let status = Int(text.split(separator: " ").dropFirst().first ?? "") else { return nil }
        (head, bytes, self.status) = (String(text.unicodeScalars.dropLast(4)), [], status)
    }

    /// Nil when `bytes` do not begin with a whole answer that says its length.
    init?(startOf bytes: ByteBuffer) {
        guard let length = Self.length(startOf: bytes), let head = Self.head(of: bytes),
            let status = Int(head.split(separator: " ").dropFirst().first ?? "")
        else { return nil }
        let start = head.unicodeScalars.count + 4
        guard let body = bytes.getBytes(at: bytes.readerIndex + start, length: length - start) else { return nil }
        (self.head, self.status, self.bytes) = (head, status, body)
    }

    /// The bytes of the answer that begins here, the head included; nil while the head is not whole. Called for everything
    /// that comes, on the loop that also serves: it must not look at the body.
    static func length(startOf bytes: ByteBuffer) -> Int? {
        guard let head = head(of: bytes) else { return nil }
        return head.unicodeScalars.count + 4 + (Int(field("content-length", in: head) ?? "0") ?? 0)
    }

    private static func head(of bytes: ByteBuffer) -> String? {
        let end = bytes.withUnsafeReadableBytes { bytes in
            bytes.indices.dropLast(3).first { bytes[$0] == 13 && bytes[$0 + 2] == 13 }
        }
        return end.flatMap { bytes.getSlice(at: bytes.readerIndex, length: $0) }.map(RawClient.text)
    }

    func field(_ name: String) -> String? { Self.field(name, in: head) }

    private static func field(_ name: String, in head: String) -> String? {
        for line in head.unicodeScalars.split(whereSeparator: { $0 == "\r" || $0 == "\n" }).map(String.init) {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == name { return parts[1].trimmed }
        }
        return nil
    }
}

extension StringProtocol {
    fileprivate var trimmed: String { String(drop { $0 == " " }) }
}

/// Collects what comes; everything happens on the channel's event loop.
private final class Inbox: ChannelInboundHandler, @unchecked Sendable {
    // Right because handlers and `wait` run on the one event loop of the channel.
    typealias InboundIn = ByteBuffer

    /// A buffer, whose front is taken off without a move of the rest: megabytes may wait.
    var bytes = ByteBuffer()
    private var ended = false
    private var waiting: (enough: (ByteBuffer) -> Bool, promise: EventLoopPromise<ByteBuffer>)?

    func wait(
        for enough: @escaping @Sendable (ByteBuffer) -> Bool, _ loop: any EventLoop
    ) -> EventLoopFuture<ByteBuffer> {
        let promise = loop.makePromise(of: ByteBuffer.self)
        let timeout = loop.scheduleTask(in: .seconds(300)) { promise.fail(ChannelError.connectTimeout(.seconds(300))) }
        promise.futureResult.whenComplete { _ in timeout.cancel() }
        waiting = (enough, promise)
        poll()
        return promise.futureResult
    }

    private func poll() {
        guard let (enough, promise) = waiting, ended || enough(bytes) else { return }
        waiting = nil
        promise.succeed(bytes)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var received = unwrapInboundIn(data)
        bytes.writeBuffer(&received)
        poll()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { end() }
    }

    func channelInactive(context: ChannelHandlerContext) { end() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { end() }

    private func end() {
        ended = true
        poll()
    }
}

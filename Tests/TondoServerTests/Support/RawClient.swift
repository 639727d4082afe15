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

    /// What came, once `enough` says so or the server closed.
    func read(until enough: @escaping @Sendable (String) -> Bool) async throws -> String {
        let loop = channel.eventLoop
        return try await loop.flatSubmit { [inbox] in inbox.wait(for: enough, loop) }.get()
    }

    func readToEnd() async throws -> String { try await read { _ in false } }

    /// One whole answer with a length, taken off what came.
    func response() async throws -> RawResponse {
        let text = try await read { RawResponse(startOf: $0) != nil }
        guard let response = RawResponse(startOf: text) else { throw Failure.notAResponse(text) }
        try await channel.eventLoop.submit { [inbox] in inbox.text.unicodeScalars.removeFirst(response.length) }.get()
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
        try await channel.eventLoop.submit { [inbox] in inbox.text = "" }.get()
        return response
    }

    func close() async throws { try await channel.close() }

    enum Failure: Error { case notAResponse(String) }
}

/// An answer as it came over the wire.
struct RawResponse: Equatable {
    let status: Int
    let head: String
    let body: String

    /// A scalar of `body` is a byte.
    var bytes: [UInt8] { body.unicodeScalars.map { UInt8($0.value) } }

    var length: Int { head.unicodeScalars.count + 4 + body.unicodeScalars.count }

    init?(head text: String) {
        guard let status = Int(text.split(separator: " ").dropFirst().first ?? "") else { return nil }
        (head, body, self.status) = (String(text.unicodeScalars.dropLast(4)), "", status)
    }

    /// Nil when `text` does not begin with a whole answer that says its length.
    init?(startOf text: String) {
        let scalars = text.unicodeScalars
        guard let end = text.firstRange(ofText: "\r\n\r\n") else { return nil }
        head = String(scalars[..<end.lowerBound])
        guard let status = Int(head.split(separator: " ").dropFirst().first ?? "") else { return nil }
        self.status = status
        let rest = scalars[end.upperBound...]
        let length = Int(Self.field("content-length", in: head) ?? "0") ?? 0
        guard rest.count >= length else { return nil }
        body = String(rest.prefix(length))
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

    /// Counted in scalars, since Swift takes a line end for one character.
    fileprivate func firstRange(ofText text: String) -> Range<String.Index>? {
        let (all, wanted) = (Array(unicodeScalars), Array(text.unicodeScalars))
        guard all.count >= wanted.count else { return nil }
        for start in 0...(all.count - wanted.count) where Array(all[start..<(start + wanted.count)]) == wanted {
            let from = unicodeScalars.index(unicodeScalars.startIndex, offsetBy: start)
            return from..<unicodeScalars.index(from, offsetBy: wanted.count)
        }
        return nil
    }
}

/// Collects what comes; everything happens on the channel's event loop.
private final class Inbox: ChannelInboundHandler, @unchecked Sendable {
    // Right because handlers and `wait` run on the one event loop of the channel.
    typealias InboundIn = ByteBuffer

    var text = ""
    private var ended = false
    private var waiting: (enough: (String) -> Bool, promise: EventLoopPromise<String>)?

    func wait(for enough: @escaping @Sendable (String) -> Bool, _ loop: any EventLoop) -> EventLoopFuture<String> {
        let promise = loop.makePromise(of: String.self)
        let timeout = loop.scheduleTask(in: .seconds(20)) { promise.fail(ChannelError.connectTimeout(.seconds(20))) }
        promise.futureResult.whenComplete { _ in timeout.cancel() }
        waiting = (enough, promise)
        poll()
        return promise.futureResult
    }

    private func poll() {
        guard let (enough, promise) = waiting, ended || enough(text) else { return }
        waiting = nil
        promise.succeed(text)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // A scalar for each byte, so that pictures come through.
        text.unicodeScalars.append(contentsOf: unwrapInboundIn(data).readableBytesView.lazy.map { Unicode.Scalar($0) })
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

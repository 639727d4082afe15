internal import HTTPTypes
package import HummingbirdCore
package import Logging
package import NIOCore
internal import NIOExtras
package import NIOHTTP1
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1
internal import NIOPosix
internal import ServiceLifecycle
package import TondoEndpoints

/// HTTP/1.1 on any number of listeners: a fast path that responds from memory, and Hummingbird's router.
///
/// Not Hummingbird's `Application`: that has one listener, and takes no inherited socket.
package struct HTTPServer: Service {
    /// The path of health, to which `FastPath` responds on connections that end, too: probes use each once. All other requests on
    /// those go to `respond`, which sees by them that a proxy is there.
    static let probe = "/healthz"

    /// Responds at once, on the event loop and without blocking it, or nil: then `respond` does.
    package typealias FastPath = @Sendable (HTTPRequestHead, ConnectionPeer) -> EncodedResponse?
    /// Takes a request without a body over, on the event loop and without blocking it, and calls back once, on any thread.
    /// False: it is none of its requests, and `respond` does. For requests that are too frequent for the router.
    package typealias DirectPath =
        @Sendable (HTTPRequestHead, ConnectionPeer, @escaping @Sendable (EncodedResponse) -> Void) -> Bool
    /// Responds to every request that the faster paths left. It runs in a task of its connection, and may wait.
    package typealias Respond = @Sendable (Request, any Channel) async -> Response
    typealias AsyncChannel = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    /// What a listener is opened from: an address to bind, or a socket that the parent process bound.
    package enum Source: Equatable, Sendable {
        case address(ListenAddress)
        case inherited(InheritedSockets.Socket)
        /// All networks, for phones, see `PhoneListener`. `port`: nil: `PhoneListener.usualPort`, or any if that is taken.
        case phone(port: Int?)

        var isPhone: Bool { if case .phone = self { true } else { false } }
    }

    let sources: [Source]
    let limits: ConnectionLimits
    let group: any EventLoopGroup = .singletonMultiThreadedEventLoopGroup
    let logger: Logger
    let fastPath: FastPath
    let directPath: DirectPath
    let respond: Respond
    let phone: PhoneListener
    var listening: @Sendable ([any Channel]) async -> Void = { _ in }
    var onShutdown: @Sendable () -> Void = {}

    /// `listening` receives the channels once all of them listen. `onShutdown` is called when the service shall end,
    /// before any connection is closed: it must end endless responses.
    package init(
        sources: [Source], limits: ConnectionLimits = .init(), logger: Logger,
        fastPath: @escaping FastPath = { _, _ in nil }, directPath: @escaping DirectPath = { _, _, _ in false },
        respond: @escaping Respond, phone: PhoneListener = PhoneListener(),
        listening: @escaping @Sendable ([any Channel]) async -> Void = { _ in },
        onShutdown: @escaping @Sendable () -> Void = {}
    ) {
        self.sources = sources
        self.limits = limits
        self.logger = logger
        self.fastPath = fastPath
        self.directPath = directPath
        self.respond = respond
        self.phone = phone
        self.listening = listening
        self.onShutdown = onShutdown
    }

    /// Serves until the service group ends gracefully: then no connection is accepted any more, running responses get
    /// `limits.grace`, and the rest is closed.
    package func run() async throws {
        guard !sources.isEmpty else { throw ListenError.nothingToListenOn }
        let connections = Connections(limit: limits.connections)
        let (stream, continuation) = AsyncStream.makeStream(of: AsyncChannel.self)
        let closing = GracefulShutdown(
            connections: connections, grace: limits.grace, loop: group.next(), onShutdown: onShutdown,
            finish: { continuation.finish() })
        let doors = Listeners(server: self, connections: connections) { continuation.yield($0) }
        let channels = try await doors.open(sources, closing: closing)
        await listening(channels)
        // A separate task: if the reader of the stream were cancelled, the connections in it would have no owner.
        let serving = Task { await serve(stream, connections: connections) }
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await serving.value
            } onGracefulShutdown: {
                closing.begin()
            }
        } onCancel: {
            closing.begin(grace: .zero)
        }
    }

    private func serve(_ stream: AsyncStream<AsyncChannel>, connections: Connections) async {
        let channelHandler = HTTP1Channel { request, writer, channel in
            let response = await respond(request.permittingBody(on: channel), channel)
            try await writer.write(response: response.head, body: response.body)
        }
        for await channel in stream {
            connections.start(channel.channel) { await channelHandler.handle(value: channel, logger: logger) }
        }
        await connections.finish()
    }
}

internal import Glibc
internal import NIOCore
internal import NIOExtras
internal import NIOHTTP1
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1
internal import NIOPosix
internal import TondoEndpoints

/// Opens the listeners of a server and sets up their connections.
struct Listeners: Sendable {
    let server: HTTPServer
    let connections: Connections
    /// Takes over a connection with requests for Hummingbird.
    let hand: @Sendable (HTTPServer.AsyncChannel) -> Void

    /// Opens all of them or none.
    func open(_ sources: [HTTPServer.Source], closing: GracefulShutdown) async throws(ListenError) -> [any Channel] {
        var channels: [any Channel] = []
        for source in sources {
            do {
                channels.append(try await open(source, closing: closing))
            } catch {
                for channel in channels { try? await channel.close() }
                throw error
            }
        }
        return channels
    }

    private func open(_ source: HTTPServer.Source, closing: GracefulShutdown) async throws(ListenError) -> any Channel {
        let helper = ServerQuiescingHelper(group: server.group)
        let bootstrap = ServerBootstrap(group: server.group)
            .serverChannelOption(.backlog, value: 1024)
            // A restart need not wait until the old connections have left TIME_WAIT.
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                if source.isPhone { server.phone.listens(by: channel) }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(helper.makeServerChannelHandler(channel: channel))
                }
            }
            // A client that has sent its requests may close its side, and still reads the responses.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            // A small event must not wait until the client has acknowledged the one before.
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            // A client can send hundreds of requests in a few kilobytes, and each takes a hundred times its length once it is
            // read: so little is read at once, and the rest when that is answered.
            .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4_096))
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelInitializer { setUp($0, isPhone: source.isPhone) }
        let channel: any Channel
        switch source {
        case .address(.tcp(let host, let port)):
            channel = try await Self.bind(host: host, port: port, with: bootstrap)
        case .phone(let port):
            channel = try await Self.bindForPhones(port, with: bootstrap)
            server.phone.listens(at: channel.localAddress?.port)
        case .address(.unix(let path)):
            channel = try await adopt(UnixSocket.listen(path: path), named: path, with: bootstrap)
        case .inherited(let socket):
            try socket.check()
            channel = try await adopt(socket.descriptor, named: socket.name, with: bootstrap)
        }
        // Connections inherit it. Otherwise the kernel keeps megabytes for a client that does not read, beyond what is counted
        // here. Unix sockets have no such option, and keep 200 kB.
        try? await channel.setOption(
            ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: TCP_NOTSENT_LOWAT)), value: 65_536
        ).get()
        closing.add(helper, listener: channel)
        return channel
    }

    private static func bind(
        host: String, port: Int, with bootstrap: ServerBootstrap
    ) async throws(ListenError) -> any Channel {
        do { return try await bootstrap.bind(host: host, port: port).get() } catch {
            // All addresses of a machine without IPv6.
            let hasNoIPv6 = (error as? IOError).map { [EAFNOSUPPORT, EADDRNOTAVAIL].contains($0.errnoCode) } ?? false
            if host == "::", hasNoIPv6 { return try await bind(host: "0.0.0.0", port: port, with: bootstrap) }
            throw failure(of: "\(ListenAddress.tcp(host: host, port: port))", error: error)
        }
    }

    /// On all networks: the addresses of a laptop change while the service runs.
    static func bindForPhones(
        _ wanted: Int?, with bootstrap: ServerBootstrap
    ) async throws(ListenError) -> any Channel {
        let ports = wanted.map { [$0] } ?? [PhoneListener.usualPort, 0]
        // Both versions of IP. Half of a port would be another program's, to which links with the other version lead.
        for port in ports {
            do { return try await bootstrap.bind(host: "::", port: port).get() } catch {
                let isTaken = (error as? IOError)?.errnoCode == EADDRINUSE
                if isTaken, port == ports.last { throw failure(of: "[::]:\(port)", error: error) }
                // There is no IPv6.
                if !isTaken { break }
            }
        }
        for port in ports.dropLast() {
            if let channel = try? await bind(host: "0.0.0.0", port: port, with: bootstrap) { return channel }
        }
        // For its reason.
        return try await bind(host: "0.0.0.0", port: ports[ports.count - 1], with: bootstrap)
    }

    private func adopt(
        _ descriptor: CInt, named name: String, with bootstrap: ServerBootstrap
    ) async throws(ListenError) -> any Channel {
        do { return try await bootstrap.withBoundSocket(descriptor).get() } catch {
            throw Self.failure(of: name, error: error)
        }
    }

    private func setUp(_ channel: any Channel, isPhone: Bool) -> EventLoopFuture<Void> {
        guard connections.admit(channel, isPhone: isPhone) else {
            // NIO closes a channel whose set-up fails, without a byte for the client.
            return channel.eventLoop.makeFailedFuture(ChannelError.connectPending)
        }
        return channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let watch = ConnectionWatch(limits: server.limits)
            try pipeline.addHandler(watch)
            var decoder = NIOHTTPDecoderLimitConfiguration()
            decoder.maxHeaderFieldSize = server.limits.fields
            decoder.maxHeaderListSize = server.limits.fields
            decoder.maxHeaderFieldCount = server.limits.fieldCount
            // The fast path handler sets lengths and chunks, because it knows the request of each response.
            var encoder = HTTPResponseEncoder.Configuration()
            encoder.automaticallySetFramingHeaders = false
            // Pipelined requests are queued in the asynchronous channel; HTTPTypes checks names and values.
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
                withEncoderConfiguration: encoder, withDecoderLimitConfiguration: decoder)
            try pipeline.addHandler(
                FastPathHandler(
                    limits: server.limits, watch: watch, fastPath: server.fastPath, directPath: server.directPath,
                    phone: server.phone,
                    open: addHummingbird))
        }
    }

    private func addHummingbird(_ channel: any Channel) throws {
        try channel.pipeline.syncOperations.addHandler(HTTP1ToHTTPServerCodec(secure: false))
        hand(
            try HTTPServer.AsyncChannel(
                wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true)))
    }

    /// The text of the system error; NIO's text contains the name of its function or type.
    private static func failure(of address: String, error: any Error) -> ListenError {
        if error is SocketAddressError.UnknownHost {
            return .cannotListen(address: address, reason: "no machine has this name")
        }
        guard let error = error as? IOError else { return .cannotListen(address: address, reason: "\(error)") }
        return ListenError(address: address, errno: error.errnoCode)
    }
}

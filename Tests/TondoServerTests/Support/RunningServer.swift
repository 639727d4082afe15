import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import Testing
import TondoEndpoints

@testable import TondoServer

/// A server for the time of a test.
struct RunningServer {
    let addresses: [SocketAddress]
    let services: ServiceGroup

    func client(_ index: Int = 0) async throws -> RawClient { try await RawClient(addresses[index]) }

    /// Runs a server on a free port of this machine unless `sources` say otherwise, until `body` is done.
    static func run(
        sources: [HTTPServer.Source] = [.address(.tcp(host: "127.0.0.1", port: 0))],
        limits: ConnectionLimits = .patient, fastPath: @escaping HTTPServer.FastPath = { _, _ in nil },
        directPath: @escaping HTTPServer.DirectPath = { _, _, _ in false },
        respond: @escaping HTTPServer.Respond = RunningServer.echo, phone: PhoneListener = PhoneListener(),
        onShutdown: @escaping @Sendable () -> Void = {},
        body: (RunningServer) async throws -> Void
    ) async throws {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let (ready, recorded) = AsyncStream.makeStream(of: [SocketAddress].self)
        let server = HTTPServer(
            sources: sources, limits: limits, logger: logger, fastPath: fastPath, directPath: directPath,
            respond: respond, phone: phone,
            listening: { channels in recorded.yield(channels.compactMap(\.localAddress)) }, onShutdown: onShutdown)
        let services = ServiceGroup(services: [server], logger: logger)
        async let running: Void = services.run()
        var iterator = ready.makeAsyncIterator()
        let addresses = await iterator.next() ?? []
        do { try await body(RunningServer(addresses: addresses, services: services)) } catch {
            await services.triggerGracefulShutdown()
            try? await running
            throw error
        }
        await services.triggerGracefulShutdown()
        try await running
    }

    /// Says what was asked for.
    static let echo: HTTPServer.Respond = { request, _ in
        let body = (try? await request.body.collect(upTo: 1 << 20)).map { String(buffer: $0) } ?? "-"
        return Response(
            status: .ok, body: .init(byteBuffer: ByteBuffer(string: "\(request.method) \(request.uri.path) \(body)")))
    }
}

extension ConnectionLimits {
    /// Without times that a client reaches on a busy machine.
    static var patient: Self {
        var limits = Self()
        limits.idle = .hours(1)
        limits.head = .hours(1)
        limits.body = .hours(1)
        limits.stall = .hours(1)
        return limits
    }
}

extension RunningServer {
    /// Starts a server that is expected not to start.
    static func open(_ sources: [HTTPServer.Source]) async throws {
        try await HTTPServer(sources: sources, logger: Logger(label: "test"), respond: echo).run()
    }
}

import Glibc
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization
import TondoAvatars
import TondoCache
import TondoConfiguration
import TondoEndpoints
import TondoServer

/// One run of the service, from the first socket to the last job.
struct ServiceRun: Sendable {
    private let configuration: ServiceConfiguration
    private let components: ServiceComponents
    private let notifier: ServiceNotifier
    private let monitor: ServiceMonitor
    private let current: CurrentService
    private let inherited: InheritedSockets
    private let announce: @Sendable ([any Channel]) -> Void
    private let opened: AsyncStream<Void>.Continuation

    /// The grace period for running jobs when the service ends.
    private static let grace = Duration.seconds(10)

    /// `announce` receives the sockets once all of them listen.
    init(
        source: ConfigurationSource, configuration: ServiceConfiguration, components: ServiceComponents,
        inherited: InheritedSockets,
        announce: @escaping @Sendable ([any Channel]) -> Void
    ) throws(SettingsProblem) {
        self.configuration = configuration
        self.components = components
        self.inherited = inherited
        self.announce = announce
        current = CurrentService(service: try components.service(configuration))
        notifier = ServiceNotifier(environment: source.environment, process: getpid())
        let (listening, opened) = AsyncStream.makeStream(of: Void.self)
        self.opened = opened
        monitor = ServiceMonitor(
            components: components, notifier: notifier,
            reloading: Reloading(
                source: source, configuration: configuration, components: components, current: current),
            listening: listening, waitsForBooks: configuration.waitsForBooks.value)
    }

    /// Runs until a signal ends it. Then no connection is accepted any more, running responses and jobs get ten
    /// seconds, and the index of the cache is written.
    func run() async throws {
        let ending = EndingTime()
        if isListenReplaced {
            components.logger.notice(
                "listen is ignored: the sockets come from systemd (ListenStream= of the socket unit)")
        }
        let services = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    // Also without a readable book, the sockets are closed in order.
                    .init(service: monitor, failureTerminationBehavior: .gracefullyShutdownGroup),
                    .init(service: server(ending)),
                ], logger: quietLogger))
        EndSignals.handle { Task { await services.triggerGracefulShutdown() } }
        let result: Result<Void, any Error>
        do { result = .success(try await services.run()) } catch { result = .failure(error) }
        // In this order: no book submits a job any more, the queue empties, and the cache writes what was stored.
        components.addressBooks.stop()
        components.eventSharing?.end()
        let isDrained = await components.pipeline.drain(within: max(Self.grace - ending.elapsed, .seconds(1)))
        if !isDrained { components.logger.warning("some jobs were not finished before the deadline") }
        components.cache?.close()
        try result.get()
        components.logger.info("ended")
    }

    private func server(_ ending: EndingTime) -> HTTPServer {
        var limits = ConnectionLimits()
        limits.connections = components.connectionLimit
        limits.output = components.output
        return HTTPServer(
            sources: Self.sources(configuration: configuration, inherited: inherited), limits: limits,
            logger: components.logger,
            fastPath: current.fastPath, directPath: current.directPath, respond: current.respond,
            phone: components.phone,
            listening: { channels in
                // Nothing is served there without a code.
                let channels = channels.filter {
                    components.phone.port == nil || $0.localAddress?.port != components.phone.port
                }
                components.page.set(ListenText(channels, phone: components.phone).page)
                announce(channels)
                components.report(accessOf: configuration)
                // Only now: if a port is taken, no book needs to be read.
                components.eventSharing?.serve(configuration.servedBooks)
                components.addressBooks.serve(configuration.servedBooks, styles: configuration.preparedStyles)
                opened.yield()
                opened.finish()
            },
            onShutdown: {
                ending.begin()
                notifier.stopping()
                // Removed while the socket still belongs to this process beyond doubt.
                if case .unix(let path) = configuration.socket.value { unlink(path) }
                components.addressBooks.stop()
                components.broadcaster.end()
            })
    }

    /// Sockets from systemd replace `listen`: a unit with inherited sockets may not be allowed to open others.
    static func sources(configuration: ServiceConfiguration, inherited: InheritedSockets) -> [HTTPServer.Source] {
        let addresses = inherited.sockets.isEmpty ? configuration.listen.value : []
        return inherited.sockets.map { .inherited($0) }
            + (addresses + [configuration.socket.value].compactMap { $0 }).map { .address($0) }
            + (configuration.isPhone.value ? [.phone(port: configuration.phonePort.value)] : [])
    }

    private var isListenReplaced: Bool { configuration.listen.origin != .builtIn && !inherited.sockets.isEmpty }

    /// The messages of the service group only interest its developers.
    private var quietLogger: Logger {
        let log = ServiceLog(max(components.log.level, .warning), isJournal: ServiceLog.isJournal([:]))
        return log.logger
    }
}

/// When the shutdown began.
private final class EndingTime: Sendable {
    private let start = Mutex<ContinuousClock.Instant?>(nil)

    func begin() { start.withLock { $0 = $0 ?? .now } }

    var elapsed: Duration { start.withLock { $0 }.map { .now - $0 } ?? .zero }
}

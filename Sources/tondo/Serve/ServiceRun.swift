import Glibc
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization
import TondoAvatars
import TondoCache
import TondoServer
import TondoSettings
import UnixSignals

/// One run of the service, from the first socket to the last job.
struct ServiceRun: Sendable {
    private let plan: ServicePlan
    private let parts: ServiceParts
    private let notifier: ServiceNotifier
    private let herald: Herald
    private let current: CurrentService
    private let inherited: InheritedSockets
    private let announce: @Sendable ([any Channel]) -> Void
    private let opened: AsyncStream<Void>.Continuation

    /// The grace period for running jobs when the service ends.
    private static let grace = Duration.seconds(10)

    /// `announce` receives the sockets once all of them listen.
    init(
        _ source: SettingsSource, _ plan: ServicePlan, _ parts: ServiceParts, _ inherited: InheritedSockets,
        announce: @escaping @Sendable ([any Channel]) -> Void
    ) throws(SettingsProblem) {
        (self.plan, self.parts, self.inherited, self.announce) = (plan, parts, inherited, announce)
        current = CurrentService(try parts.service(plan))
        notifier = ServiceNotifier(environment: source.environment, process: getpid())
        let (listening, opened) = AsyncStream.makeStream(of: Void.self)
        self.opened = opened
        herald = Herald(
            parts: parts, notifier: notifier, reloading: Reloading(source, plan, parts, current), listening: listening)
    }

    /// Runs until a signal ends it. Then no connection is accepted any more, running responses and jobs get ten
    /// seconds, and the index of the cache is written.
    func run() async throws {
        let ending = EndingTime()
        if isListenReplaced {
            parts.logger.notice("listen is ignored: the sockets come from systemd (ListenStream= of the socket unit)")
        }
        let services = ServiceGroup(
            services: [herald, server(ending)], gracefulShutdownSignals: [.sigterm, .sigint], logger: quietLogger)
        let result: Result<Void, any Error>
        do { result = .success(try await services.run()) } catch { result = .failure(error) }
        parts.library.stop()
        let isDrained = await parts.pipeline.drain(within: max(Self.grace - ending.elapsed, .seconds(1)))
        if !isDrained { parts.logger.warning("some jobs were not finished before the deadline") }
        parts.cache?.close()
        try result.get()
        parts.logger.info("ended")
    }

    private func server(_ ending: EndingTime) -> HTTPServer {
        var limits = ConnectionLimits()
        limits.connections = parts.connectionLimit
        return HTTPServer(
            sources: Self.sources(plan, inherited), limits: limits, logger: parts.logger, answer: current.answer,
            respond: current.respond,
            listening: { channels in
                announce(channels)
                parts.report(accessOf: plan)
                // Only now: if a port is taken, no book needs to be read.
                parts.library.serve(plan.books, styles: plan.prepared)
                opened.yield()
                opened.finish()
            },
            leaving: {
                ending.begin()
                notifier.stopping()
                // Removed while the socket still belongs to this process beyond doubt.
                if case .unix(let path) = plan.socket { unlink(path) }
                parts.library.stop()
                parts.ring.end()
            })
    }

    /// Sockets from systemd replace `listen`: a unit with inherited sockets may not be allowed to open others.
    static func sources(_ plan: ServicePlan, _ inherited: InheritedSockets) -> [HTTPServer.Source] {
        let addresses = inherited.sockets.isEmpty ? plan.addresses : []
        return inherited.sockets.map { .inherited($0) }
            + (addresses + [plan.socket].compactMap { $0 }).map { .address($0) }
    }

    private var isListenReplaced: Bool { !plan.isListenBuiltIn && !inherited.sockets.isEmpty }

    /// The messages of the service group only interest its developers.
    private var quietLogger: Logger {
        let log = ServiceLog(max(parts.log.level, .warning), isJournal: ServiceLog.isJournal([:]))
        return log.logger
    }
}

/// When the shutdown began.
private final class EndingTime: Sendable {
    private let start = Mutex<ContinuousClock.Instant?>(nil)

    func begin() { start.withLock { $0 = $0 ?? .now } }

    var elapsed: Duration { start.withLock { $0 }.map { .now - $0 } ?? .zero }
}

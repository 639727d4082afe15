import Dispatch
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import SystemPackage
import TondoAvatars
import TondoMirror
import TondoServer
import UnixSignals

/// Notifies the service manager about the state of the service, sends heartbeats to event streams, and starts reloads
/// of the configuration. Sleeps unless something happens.
struct ServiceMonitor: Service {
    let components: ServiceComponents
    let notifier: ServiceNotifier
    let reloading: Reloading
    /// Has one element, sent once every listener is open.
    let listening: AsyncStream<Void>
    /// Whether a service without a readable book stays.
    let waitsForBooks: Bool

    /// The interval of heartbeats on an event stream.
    private static let heartbeat = Duration.seconds(15)
    /// The minimum interval of status lines about the books.
    private static let pace = Duration.milliseconds(250)

    /// Throws `NoReadableBook`.
    func run() async throws {
        try await cancelWhenGracefulShutdown {
            // Installed at once: from here on a signal is queued.
            let hangups = await UnixSignalsSequence(trapping: .sighup)
            try await withThrowingTaskGroup { group in
                group.addTask { await components.broadcaster.sendHeartbeat(every: Self.heartbeat) }
                group.addTask { await notifier.watch { await isAlive() } }
                group.addTask { try await monitor(hangups) }
                // The first error ends the others.
                while try await group.next() != nil {}
            }
        }
    }

    private func monitor(_ hangups: UnixSignalsSequence) async throws {
        for await _ in listening { break }
        await components.addressBooks.waitUntilCounted()
        guard !Task.isCancelled else { return }
        reportBookProblems()
        if !waitsForBooks, !hasReadableBook { throw NoReadableBook() }
        notifier.ready(status: state.text)
        await withTaskGroup { group in
            group.addTask { await reportProgress() }
            group.addTask {
                // It came before the signals were trapped.
                if EarlyHangup.take() { await reload() }
                for await _ in hangups { await reload() }
            }
        }
    }

    private var state: LoadState { LoadState(components.addressBooks.progress) }

    private func reload() async {
        notifier.reloading()
        let problems = reloading.reload()
        guard problems.isEmpty else {
            for problem in problems { components.logger.error("\(problem)") }
            components.logger.error("not reloaded: the configuration stays as it was")
            return notifier.ready(status: "the configuration is not changed: \(problems[0])")
        }
        await components.addressBooks.waitUntilCounted()
        guard !Task.isCancelled else { return }
        reportBookProblems()
        components.logger.info("reloaded")
        notifier.ready(status: state.text)
    }

    /// Also true for a mirror that is filled later.
    private var hasReadableBook: Bool {
        zip(components.addressBooks.books, components.addressBooks.progress).contains { book, state in
            state.problem == nil || isNewMirror(book)
        }
    }

    /// A source that waits for its first run.
    private func isNewMirror(_ book: FilePath) -> Bool {
        reloading.mirror(book).map { MirrorStatus.read($0)?.lastSuccess == nil } ?? false
    }

    private func reportBookProblems() {
        let (books, progress) = (components.addressBooks.books, components.addressBooks.progress)
        if books.isEmpty {
            components.logger.warning("no book to serve: name one in the configuration or as an argument")
        }
        for (book, state) in zip(books, progress) {
            if let problem = state.problem {
                // Not an error.
                if let mirror = reloading.mirror(book), isNewMirror(book) {
                    let text = "mirror \(mirror.name) has not been synchronised yet; it is served once it comes"
                    components.logger.notice("\(text)", metadata: ["code": "mirror-new"])
                    continue
                }
                let reason = state.reason ?? "\(book): cannot be read"
                components.logger.error(
                    "\(reason); retried with back-off (60 s at most)", metadata: ["code": "\(problem)"])
            }
        }
    }

    /// Woken by events, at most four times a second.
    private func reportProgress() async {
        var reported = LoadState([])
        while !Task.isCancelled {
            // Before the state is read, so that a change in between wakes the next round.
            let subscriber = components.broadcaster.subscribe(isClient: false)
            repeat {
                let now = state
                if now != reported { notifier.status(now.text) }
                if now.isLoaded, !reported.isLoaded || reported.people != now.people {
                    components.logger.info("\(now.text)")
                }
                // Loading needs the most memory; afterwards much of it is free.
                if now.isLoaded, !reported.isLoaded { Allocator.trimForIdle() }
                reported = now
                try? await Task.sleep(for: Self.pace)
            } while await subscriber.next() != nil
        }
    }

    /// Whether the queue's lock, Dispatch's threads and every event loop respond, and the draw queue makes progress.
    /// Otherwise it does not return, or returns false; then the watchdog of systemd gets no keep-alive message.
    private func isAlive() async -> Bool {
        let isStuck = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { @Sendable in continuation.resume(returning: components.pipeline.isStuck) }
        }
        if isStuck {
            let time = components.pipeline.standstill.components.seconds
            components.logger.critical("photos are queued, and none was finished for \(time) s")
            return false
        }
        for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() {
            do { try await loop.submit {}.get() } catch { return false }
        }
        return true
    }
}

/// The log names each book and its reason before.
struct NoReadableBook: Error, CustomStringConvertible {
    var description: String { "no address book can be read; --wait-for-books waits for one" }
}

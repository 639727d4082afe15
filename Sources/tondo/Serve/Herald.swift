import Dispatch
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import TondoAvatars
import TondoServer
import UnixSignals

/// Tells the service manager how the service is, listeners that they are not forgotten, and the service that its
/// settings have changed. Sleeps unless something happens.
struct Herald: Service {
    let parts: ServiceParts
    let notifier: ServiceNotifier
    let reloading: Reloading
    /// Has one element: that everything listens.
    let listening: AsyncStream<Void>

    /// Between two signs of life on an event stream.
    private static let heartbeat = Duration.seconds(15)
    /// Between two lines about how far the books are.
    private static let pace = Duration.milliseconds(250)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            // Trapped at once: from here on a signal waits for its turn.
            let hangups = await UnixSignalsSequence(trapping: .sighup)
            await withTaskGroup { group in
                group.addTask { await parts.ring.beat(every: Self.heartbeat) }
                group.addTask { await notifier.watch { await isAlive() } }
                group.addTask { await tell(hangups) }
            }
        }
    }

    private func tell(_ hangups: UnixSignalsSequence) async {
        for await _ in listening { break }
        await parts.library.waitUntilCounted()
        guard !Task.isCancelled else { return }
        complainOfBooks()
        notifier.ready(status: state.text)
        await withTaskGroup { group in
            group.addTask { await tellProgress() }
            group.addTask {
                if EarlyHangup.take() { await reload() }
                for await _ in hangups {
                    await reload()
                }
            }
        }
    }

    private var state: LoadState { LoadState(parts.library.progress) }

    private func reload() async {
        notifier.reloading()
        let problems = reloading.reload()
        guard problems.isEmpty else {
            for problem in problems { parts.logger.error("\(problem)") }
            return notifier.ready(status: "the settings are not changed: \(problems[0])")
        }
        await parts.library.waitUntilCounted()
        guard !Task.isCancelled else { return }
        complainOfBooks()
        parts.logger.info("reloaded")
        notifier.ready(status: state.text)
    }

    private func complainOfBooks() {
        let (books, progress) = (parts.library.books, parts.library.progress)
        if books.isEmpty {
            parts.logger.warning("there is no book to serve: name one in the settings or as an argument")
        }
        for (book, state) in zip(books, progress) {
            if let problem = state.problem {
                let reason = state.reason ?? "\(book): cannot be read"
                parts.logger.error("\(reason); it is looked for again now and then", metadata: ["code": "\(problem)"])
            }
        }
    }

    /// Woken by events, at most four times a second.
    private func tellProgress() async {
        var told = LoadState([])
        while !Task.isCancelled {
            let listener = parts.ring.listen(isClient: false)
            repeat {
                let now = state
                if now != told { notifier.status(now.text) }
                if now.isLoaded, !told.isLoaded || told.people != now.people { parts.logger.info("\(now.text)") }
                if now.isLoaded, !told.isLoaded { Allocator.rest() }
                told = now
                try? await Task.sleep(for: Self.pace)
            } while await listener.next() != nil
        }
    }

    /// Whether the queue's lock, Dispatch's threads and every event loop still answer, and photos that wait are drawn. Does
    /// not return otherwise, or gives false, and then the manager hears nothing.
    private func isAlive() async -> Bool {
        let isStuck = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { @Sendable in continuation.resume(returning: parts.pipeline.isStuck) }
        }
        if isStuck {
            let time = parts.pipeline.standstill.components.seconds
            parts.logger.critical("photos wait to be drawn, and none was finished for \(time) s")
            return false
        }
        for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() {
            do { try await loop.submit {}.get() } catch { return false }
        }
        return true
    }
}

internal import NIOCore
internal import NIOExtras
internal import Synchronization

/// The shutdown of a server: no new connections, a grace period for running responses, then all connections are closed.
final class GracefulShutdown: Sendable {
    private struct State {
        var helpers: [ServerQuiescingHelper] = []
        var begun = false
    }

    private let state = Mutex(State())
    private let connections: Connections
    private let grace: TimeAmount
    private let loop: any EventLoop
    private let onShutdown: @Sendable () -> Void
    private let finish: @Sendable () -> Void

    /// `finish` is called when the last connection is closed.
    init(
        connections: Connections, grace: TimeAmount, loop: any EventLoop,
        onShutdown: @escaping @Sendable () -> Void, finish: @escaping @Sendable () -> Void
    ) {
        self.connections = connections
        self.grace = grace
        self.loop = loop
        self.onShutdown = onShutdown
        self.finish = finish
    }

    func add(_ helper: ServerQuiescingHelper, listener: any Channel) { state.withLock { $0.helpers.append(helper) } }

    /// May be called any number of times; the shortest grace counts.
    func begin(grace shorter: TimeAmount? = nil) {
        let first = state.withLock { state in
            defer { state.begun = true }
            return state.begun ? nil : state.helpers
        }
        if let helpers = first {
            // First: the helpers wait for all connections, and an event stream ends only with its source.
            onShutdown()
            let done = helpers.map { helper in
                let promise = loop.makePromise(of: Void.self)
                helper.initiateShutdown(promise: promise)
                return promise.futureResult
            }
            EventLoopFuture.whenAllComplete(done, on: loop).whenComplete { _ in self.finish() }
        }
        // Not cancelled after an orderly end: then nothing is open.
        let connections = connections
        loop.scheduleTask(in: shorter ?? grace) { connections.cutOff() }
    }
}

internal import NIOCore
internal import Synchronization

/// The connections of all listeners together, so that there is one limit for them and a way to end them all.
final class Connections: Sendable {
    private let limit: AdjustableLimit
    private struct State {
        var open: [ObjectIdentifier: any Channel] = [:]
        var tasks: [ObjectIdentifier: Task<Void, Never>] = [:]
        var isCut = false
    }

    private let state = Mutex(State())

    init(limit: AdjustableLimit) { self.limit = limit }

    var count: Int { state.withLock { $0.open.count } }

    /// False: there are too many, so this one has to go.
    func admit(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        let admitted = state.withLock { state in
            guard state.open.count < limit.value else { return false }
            state.open[id] = channel
            return true
        }
        if admitted {
            channel.closeFuture.whenComplete { _ in self.state.withLock { _ = $0.open.removeValue(forKey: id) } }
        }
        return admitted
    }

    /// Runs what answers the requests of `channel`, until the channel is closed: then it is cancelled, since a stream of
    /// events would wait for the next event to notice.
    func start(_ channel: any Channel, _ body: @escaping @Sendable () async -> Void) {
        let id = ObjectIdentifier(channel)
        // Stored before the lock opens, so that its end finds it.
        let task = state.withLock { state in
            let task = Task {
                await body()
                self.state.withLock { _ = $0.tasks.removeValue(forKey: id) }
            }
            state.tasks[id] = task
            if state.isCut { task.cancel() }
            return task
        }
        channel.closeFuture.whenComplete { _ in task.cancel() }
    }

    /// Returns once nothing that was started runs any more.
    func finish() async {
        while let task = state.withLock({ $0.tasks.first?.value }) { await task.value }
    }

    /// Ends all of them, whatever they do.
    func cutOff() {
        let (channels, tasks) = state.withLock { state in
            state.isCut = true
            return (Array(state.open.values), Array(state.tasks.values))
        }
        for task in tasks { task.cancel() }
        for channel in channels { channel.close(promise: nil) }
    }
}

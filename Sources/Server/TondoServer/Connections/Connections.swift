internal import NIOCore
internal import Synchronization

/// The connections of all listeners, for one common limit and one way to close them all.
final class Connections: Sendable {
    private let limit: AdjustableLimit
    private struct State {
        var open: [ObjectIdentifier: any Channel] = [:]
        /// Those of the listener for phones.
        var phones = 0
        var tasks: [ObjectIdentifier: Task<Void, Never>] = [:]
        var isCut = false
    }

    private let state = Mutex(State())

    init(limit: AdjustableLimit) { self.limit = limit }

    /// Phones are few, and their listener is open to strangers: they must not take the places of this machine.
    static let mostPhones = 64

    /// False: the limit is reached, and the connection must be closed. `isPhone`: it came over the listener for phones.
    func admit(_ channel: any Channel, isPhone: Bool = false) -> Bool {
        let id = ObjectIdentifier(channel)
        // Counted and added under one lock, so that listeners that accept at the same time stay within the limit.
        let admitted = state.withLock { state in
            guard state.open.count < limit.value, !isPhone || state.phones < Self.mostPhones else { return false }
            state.open[id] = channel
            if isPhone { state.phones += 1 }
            return true
        }
        if admitted {
            channel.closeFuture.whenComplete { _ in
                self.state.withLock { state in
                    state.open[id] = nil
                    if isPhone { state.phones -= 1 }
                }
            }
        }
        return admitted
    }

    /// Runs the handler loop of `channel`, and cancels it when the channel is closed: otherwise an event stream would
    /// notice the end only at the next event.
    func start(_ channel: any Channel, body: @escaping @Sendable () async -> Void) {
        let id = ObjectIdentifier(channel)
        // Stored before the lock opens, so that the end of the task finds it.
        let task = state.withLock { state in
            let task = Task {
                await body()
                self.state.withLock { _ = $0.tasks.removeValue(forKey: id) }
            }
            state.tasks[id] = task
            // The connection was accepted before the end, and its loop begins after it.
            if state.isCut { task.cancel() }
            return task
        }
        channel.closeFuture.whenComplete { _ in task.cancel() }
    }

    /// Returns once no started loop is running.
    func finish() async {
        // Read again each time: other loops may begin and end while one is awaited.
        while let task = state.withLock({ $0.tasks.first?.value }) { await task.value }
    }

    /// Closes all connections at once.
    func cutOff() {
        let (channels, tasks) = state.withLock { state in
            state.isCut = true
            return (Array(state.open.values), Array(state.tasks.values))
        }
        // Outside the lock, which the handlers of closed channels take.
        for task in tasks { task.cancel() }
        for channel in channels { channel.close(promise: nil) }
    }
}

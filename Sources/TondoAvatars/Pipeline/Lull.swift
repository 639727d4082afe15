internal import Dispatch
internal import Synchronization

/// Tells when nothing has happened for a while after something did. Costs nothing while nothing happens. Usable from any
/// thread.
final class Lull: Sendable {
    private let state = Mutex(State())
    private let pause: DispatchTimeInterval
    private let action: @Sendable () -> Void

    private struct State {
        var stirs = 0
        var isWatched = false
    }

    /// `action` is called on a Dispatch thread, once for every lull.
    init(after pause: DispatchTimeInterval, action: @escaping @Sendable () -> Void) {
        (self.pause, self.action) = (pause, action)
    }

    func stir() {
        let stirs: Int? = state.withLock { state in
            state.stirs += 1
            if state.isWatched { return nil }
            state.isWatched = true
            return state.stirs
        }
        if let stirs { watch(since: stirs) }
    }

    private func watch(since stirs: Int) {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + pause) { [self] in
            let now: Int? = state.withLock { state in
                if state.stirs != stirs { return state.stirs }
                state.isWatched = false
                return nil
            }
            if let now { watch(since: now) } else { action() }
        }
    }
}

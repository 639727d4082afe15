internal import Dispatch
internal import Synchronization

/// A timer that fires once after a period without activity, and regularly during activity, as long as it has an owner. Costs
/// nothing while idle. Usable from any thread.
final class IdleTimer: Sendable {
    private let state = Mutex(State())
    private let pause: DispatchTimeInterval
    private let action: @Sendable () -> Void
    private let whileActive: @Sendable () -> Void
    /// Consecutive periods with activity per call of `whileActive`.
    private let intervals: Int

    private struct State {
        var activities = 0
        var isWatched = false
    }

    /// `action` is called on a Dispatch thread, once per idle period; `whileActive` after `intervals` consecutive periods
    /// with activity.
    init(
        after pause: DispatchTimeInterval, intervals: Int = 10, whileActive: @escaping @Sendable () -> Void = {},
        action: @escaping @Sendable () -> Void
    ) {
        self.pause = pause
        self.intervals = intervals
        self.whileActive = whileActive
        self.action = action
    }

    func recordActivity() {
        let activities: Int? = state.withLock { state in
            state.activities += 1
            if state.isWatched { return nil }
            state.isWatched = true
            return state.activities
        }
        if let activities { watch(since: activities, interval: 1) }
    }

    private func watch(since activities: Int, interval: Int) {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + pause) { [weak self] in
            guard let self else { return }
            let now: Int? = state.withLock { state in
                if state.activities != activities { return state.activities }
                state.isWatched = false
                return nil
            }
            guard let now else { return action() }
            if interval % intervals == 0 { whileActive() }
            watch(since: now, interval: interval + 1)
        }
    }
}

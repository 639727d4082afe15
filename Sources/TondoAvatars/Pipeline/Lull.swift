internal import Dispatch
internal import Synchronization

/// A timer that fires once after a period without activity, and regularly during activity. Costs nothing while idle.
/// Usable from any thread.
final class Lull: Sendable {
    private let state = Mutex(State())
    private let pause: DispatchTimeInterval
    private let action: @Sendable () -> Void
    private let meanwhile: @Sendable () -> Void
    /// Consecutive periods with activity per call of `meanwhile`.
    private let beats: Int

    private struct State {
        var stirs = 0
        var isWatched = false
    }

    /// `action` is called on a Dispatch thread, once per idle period; `meanwhile` after `beats` consecutive periods
    /// with activity.
    init(
        after pause: DispatchTimeInterval, beats: Int = 10, meanwhile: @escaping @Sendable () -> Void = {},
        action: @escaping @Sendable () -> Void
    ) {
        (self.pause, self.beats, self.meanwhile, self.action) = (pause, beats, meanwhile, action)
    }

    func stir() {
        let stirs: Int? = state.withLock { state in
            state.stirs += 1
            if state.isWatched { return nil }
            state.isWatched = true
            return state.stirs
        }
        if let stirs { watch(since: stirs, beat: 1) }
    }

    private func watch(since stirs: Int, beat: Int) {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + pause) { [self] in
            let now: Int? = state.withLock { state in
                if state.stirs != stirs { return state.stirs }
                state.isWatched = false
                return nil
            }
            guard let now else { return action() }
            if beat % beats == 0 { meanwhile() }
            watch(since: now, beat: beat + 1)
        }
    }
}

internal import Glibc

/// How often, and after which pause, a photo gets a new worker after another process ended the one that drew it, or that was
/// being started for it.
///
/// Such an end says nothing about the photo: the kernel ends whatever it finds when memory is short. The first tries follow
/// at once, which is right for a single kill. Those after them give the shortage time to pass. They are bounded, because the
/// photo may be its cause after all.
struct KillRetry {
    /// Workers that may be ended until the photo fails: 2.3 s of pauses in all.
    static let tries = 16
    private static let triesAtOnce = 4
    private static let longestPause = Duration.milliseconds(320)

    private(set) var ended = 0

    /// Before the next try; nil if there is none.
    mutating func pause() -> Duration? {
        ended += 1
        guard ended < Self.tries else { return nil }
        guard ended > Self.triesAtOnce else { return .zero }
        return min(.milliseconds(10) * (1 << (ended - Self.triesAtOnce - 1)), Self.longestPause)
    }

    /// Blocks until the next try. False: there is none before the deadline.
    mutating func waitForNextTry(before deadline: SuspendingClock.Instant) -> Bool {
        guard let pause = pause(), .now + pause < deadline else { return false }
        if pause > .zero { usleep(UInt32(pause / .microseconds(1))) }
        return true
    }
}

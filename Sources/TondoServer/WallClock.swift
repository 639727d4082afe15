internal import Glibc

/// The time of day.
enum WallClock {
    /// Since 1970.
    static var seconds: Int { Glibc.time(nil) }

    /// Since 1970.
    static var microseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
    }
}

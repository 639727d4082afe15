internal import Glibc

/// The time of day.
enum WallClock {
    /// Since 1970.
    static var seconds: Int { Glibc.time(nil) }
}

internal import FoundationEssentials
internal import Glibc

/// The time of day.
enum WallClock {
    /// Since 1970.
    static var seconds: Int { Glibc.time(nil) }

    /// Since 1970. Not by `clock_gettime`: the module that `timespec` belongs to depends on the order of the target's files.
    static var microseconds: Int { Int(Date().timeIntervalSince1970 * 1_000_000) }
}

internal import CLinux
internal import Glibc

/// The processors this process may use; fewer than exist under `taskset` or `CPUAffinity=`.
package enum Processors {
    /// At least 1. Each call asks the kernel again.
    package static var available: Int {
        let count = Int(clinux_affinity_count())
        // Fails if there are more processors than a set can hold.
        return count > 0 ? count : max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }

    /// What a service makes use of without being asked for more: on a machine with 64 processors it is not alone, and more
    /// threads and processes would only take memory, and reach the limits of its unit.
    package static var ofService: Int { ofService(available) }

    /// The number for a machine with so many available processors: 16 at most.
    package static func ofService(_ available: Int) -> Int { min(available, 16) }
}

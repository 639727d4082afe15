internal import CLinux
internal import Glibc

/// The processors this process may use; fewer than exist under `taskset` or `CPUAffinity=`.
package enum Processors {
    package static var available: Int {
        let count = Int(clinux_count_processors())
        // Fails if there are more processors than a set can hold.
        return count > 0 ? count : max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }
}

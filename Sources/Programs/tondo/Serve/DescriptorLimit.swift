import ArgumentParser
import Glibc

/// The limit of open files and connections of the process (getrlimit(2)).
enum DescriptorLimit {
    /// Not available to connections: for books, the cache, the index, and open photos.
    static let reserve = 256

    /// Raises the soft limit to the hard one; returns the resulting limit.
    static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        if limit.rlim_cur < limit.rlim_max {
            let soft = limit.rlim_cur
            limit.rlim_cur = limit.rlim_max
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 { limit.rlim_cur = soft }
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// Descriptors of a run besides its jobs: streams, the cache and its index, the book, Dispatch and the runtime.
    static let base = 32
    /// The descriptors that a service needs, with a few connections.
    static let serviceBase = 128

    /// Raises the limit, and ends the command if it stays below `base` plus four per job: a run that runs out of
    /// descriptors fails in many places, none of which names the cause.
    static func require(_ base: Int, jobs: Int) throws {
        let (limit, needed) = (raise(), base + 4 * jobs)
        if limit >= needed { return }
        Terminal.reportError(
            "the limit of open files is \(limit), \(needed) are needed: raise it with 'ulimit -n' or LimitNOFILE=")
        throw ExitCode.fewDescriptors
    }

    /// The number of connections that leaves the reserve free, but at least a few.
    static func connections(_ wanted: Int, of limit: Int) -> Int { min(wanted, max(limit - reserve, 16)) }
}

/// Statuses of sysexits(3).
extension ExitCode {
    /// The limit of open files is too low (EX_OSERR).
    static let fewDescriptors = ExitCode(71)
}

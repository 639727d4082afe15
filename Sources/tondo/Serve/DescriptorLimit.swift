import ArgumentParser
import Glibc

/// How many files and connections the process may have open (getrlimit(2)).
enum DescriptorLimit {
    /// Kept free of connections: books, the cache, the index, photos being read.
    static let reserve = 256

    /// Raises the soft limit to the hard one; gives what holds then.
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

    /// What a run needs besides its jobs: streams, the cache and its index, the book, Dispatch's and the runtime's own.
    static let base = 32
    /// The same for a service, with a few connections.
    static let serviceBase = 128

    /// Raises the limit, and ends the command when it stays below `base` and four a job: a run that finds itself without
    /// descriptors in its middle fails in many places, none of which names the cause.
    static func require(_ base: Int, jobs: Int) throws {
        let (limit, needed) = (raise(), base + 4 * jobs)
        if limit >= needed { return }
        Terminal.complain("only \(limit) files may be open, \(needed) are needed: raise the limit, as with 'ulimit -n'")
        throw ExitCode.fewDescriptors
    }

    /// Connections that leave the reserve free, at least a few.
    static func connections(_ wanted: Int, of limit: Int) -> Int { min(wanted, max(limit - reserve, 16)) }
}

/// Statuses of sysexits(3).
extension ExitCode {
    /// Too few files may be open (EX_OSERR).
    static let fewDescriptors = ExitCode(71)
}

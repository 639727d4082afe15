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

    /// Connections that leave the reserve free, at least a few.
    static func connections(_ wanted: Int, of limit: Int) -> Int { min(wanted, max(limit - reserve, 16)) }
}

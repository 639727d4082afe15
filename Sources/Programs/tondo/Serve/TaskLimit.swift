import ArgumentParser
import Glibc
import SystemPackage
import TondoConfiguration
import TondoFiles
import TondoJobs

/// How many threads and processes a service may have (pids.max of cgroups(7), RLIMIT_NPROC of getrlimit(2)).
///
/// A thread that cannot be created fails late and without a word: Dispatch tries again for ever, and photos get the silhouette.
enum TaskLimit {
    /// Adapts the number of jobs to the limits; returns a message for the log if that was needed. Ends the command if not even
    /// one job is possible.
    static func adapt(_ configuration: inout ServiceConfiguration) throws -> String? {
        let available = available()
        var tasks = ServiceTasks(
            processors: Processors.available, workers: configuration.workers, books: configuration.servedBooks.count)
        guard let available, available < tasks.most else { return nil }
        guard available >= ServiceTasks.least else { throw refusal(needed: ServiceTasks.least, available) }
        let (wanted, needed) = (tasks.workers, tasks.most)
        configuration.mostWorkers = workers(&tasks, within: available)
        return "the limit of threads and processes is \(available), up to \(needed) are of use: "
            + "\(configuration.mostWorkers) photos are drawn at once instead of \(wanted); raise TasksMax= or 'ulimit -u'"
    }

    /// The largest number of workers whose tasks fit, at least 1.
    static func workers(_ tasks: inout ServiceTasks, within available: Int) -> Int {
        while tasks.workers > 1, tasks.most > available { tasks.workers -= 1 }
        return tasks.workers
    }

    /// Reports that there are too few tasks, for a command that ends with the result.
    static func refusal(needed: Int, _ available: Int? = nil) -> ExitCode {
        let limit = available.map { "the limit of threads and processes is \($0)" } ?? "no thread can be created"
        Terminal.reportError("\(limit), \(needed) are needed: raise it with TasksMax= or 'ulimit -u'")
        return .fewTasks
    }

    /// Tasks that this process may still have, itself included; nil: no limit is known.
    static func available(processes: FilePath = "/proc", groups: FilePath = "/sys/fs/cgroup") -> Int? {
        let group = group(processes: processes, groups: groups)
        var limits: [Int] = []
        if let group { limits += room(in: group, below: groups) }
        var limit = rlimit()
        // Root is not bound by it. It counts the tasks of the user, of which these are some.
        if geteuid() != 0, getrlimit(__rlimit_resource_t(__RLIMIT_NPROC.rawValue), &limit) == 0,
            limit.rlim_cur != rlim_t.max
        {
            limits.append(Int(clamping: limit.rlim_cur))
        }
        return limits.min()
    }

    /// The folder of the process's control group that counts tasks: of version 2, or of the controller `pids` of version 1.
    private static func group(processes: FilePath, groups: FilePath) -> FilePath? {
        guard let text = text(in: processes.appending("self/cgroup")) else { return nil }
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let controllers = parts[1].split(separator: ",")
            let isNew = parts[0] == "0" && parts[1].isEmpty
            guard isNew || controllers.contains("pids") else { continue }
            return (isNew ? groups : groups.appending("pids")).pushing(FilePath(String(parts[2].drop { $0 == "/" })))
        }
        return nil
    }

    /// What the group and each group above it leave.
    private static func room(in group: FilePath, below top: FilePath) -> [Int] {
        var (group, rooms) = (group, [Int]())
        while group.starts(with: top) {
            if let most = number(in: group.appending("pids.max")) {
                rooms.append(max(most - (number(in: group.appending("pids.current")) ?? 1) + 1, 0))
            }
            if !group.removeLastComponent() { break }
        }
        return rooms
    }

    private static func number(in path: FilePath) -> Int? {
        text(in: path).flatMap { text in Int(text.prefix { $0 != "\n" }) }
    }

    private static func text(in path: FilePath) -> String? {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else { return nil }
        defer { try? file.close() }
        return (try? file.readPrefix(4_096)).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// Statuses of sysexits(3).
extension ExitCode {
    /// The limit of threads and processes is too low (EX_OSERR).
    static let fewTasks = ExitCode(71)
}

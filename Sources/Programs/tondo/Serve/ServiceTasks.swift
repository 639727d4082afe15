import TondoJobs
import TondoRender

/// The most threads and processes of a service, which its units and the limits of its control group must allow.
struct ServiceTasks: Equatable {
    /// Processors that the process may use.
    var processors: Int
    /// Photos drawn at once.
    var workers: Int
    var books: Int

    /// Event loops. Eight pass on more avatars than a network takes.
    static func loops(_ processors: Int) -> Int { min(processors, 8) }

    /// The service starts with fewer workers, but not with fewer tasks than this.
    static let least = 24

    /// All of them at once, which is more than any load needs.
    var most: Int { fixed + Self.loops(processors) + queues + processes + runtime + 4 * books }

    /// The main thread, both threads for signals, Dispatch's own two, timers of both queues, the threads for lists, searches,
    /// index, keys, changes and metrics, events, the writer of the cache, and connections to Redis.
    private var fixed: Int { 48 }

    /// The threads of the open queue, of the draw queue, each with spares, and of generated avatars.
    private var queues: Int { max(workers, 8) + 2 + workers + 2 + max(Processors.ofService(processors) / 2, 1) }

    /// The processes that draw.
    private var processes: Int { WorkerKind.allCases.reduce(0) { $0 + ($1.most(of: workers) ?? workers) } }

    /// Threads of tasks and of Dispatch's shared queues: no setting bounds them below one for each processor, and two while
    /// some of them wait.
    private var runtime: Int { 2 * processors }
}

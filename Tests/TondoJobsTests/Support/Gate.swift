import Synchronization
import TondoTestSupport

@testable import TondoJobs

/// Counts from any thread.
final class Counter: Sendable {
    private let value = Atomic<Int>(0)

    var count: Int { value.load(ordering: .sequentiallyConsistent) }

    @discardableResult
    func add(_ number: Int = 1) -> Int { value.add(number, ordering: .sequentiallyConsistent).newValue }
}

/// A clock that stands still until it is moved.
final class Clock: Sendable {
    private let time = Atomic<UInt64>(1_000_000_000)

    var now: UInt64 { time.load(ordering: .sequentiallyConsistent) }

    func advance(_ duration: Duration) { time.add(duration.inNanoseconds, ordering: .sequentiallyConsistent) }
}

/// An error of some work.
enum WorkError: Error { case busy, broken }

/// The least time there is, so that a test need not wait.
let instant = Duration.milliseconds(1)

typealias Queue = JobQueue<Int, Int>

extension JobQueue {
    static func make(
        workers: Int = 1, spares: Int = 0, depth: Int = 1000, room: Int = 1000, wait: QueueTimeout? = nil,
        kinds: [Int?] = [], clock: Clock? = nil
    ) -> JobQueue {
        var options = Options()
        (options.workers, options.spares, options.depth, options.room) = (workers, spares, depth, room)
        (options.wait, options.kinds) = (wait, kinds)
        if let clock { options.now = { clock.now } }
        return JobQueue(options)
    }
}

extension Result where Failure == JobError {
    /// "done" or the code of the error.
    var code: String {
        switch self {
        case .success: "done"
        case .failure(let error): error.code
        }
    }
}

/// The code of what is thrown, or nil.
func code(_ body: () throws(JobError) -> Void) -> String? {
    do throws(JobError) {
        try body()
        return nil
    } catch { return error.code }
}

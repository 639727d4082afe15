import Dispatch
import Glibc
import Synchronization
import TondoJobs

/// One number of the benchmark.
struct Measure: Sendable {
    let name: String
    let unit: String
    var target = ""
    let run: @Sendable () -> Double

    static let jobs = 100_000

    static let all: [Measure] = [
        Measure(name: "a job, submitted and run, two workers", unit: "us", target: "at most 5") {
            microseconds { wholeJobs(submitters: 1) } / Double(jobs)
        },
        Measure(name: "its processor time, all threads", unit: "us", target: "at most 5") {
            let before = processorMicroseconds()
            wholeJobs(submitters: 1)
            return (processorMicroseconds() - before) / Double(jobs)
        },
        Measure(name: "submits while two workers run, one thread", unit: "1/s", target: "at least 200000") {
            Double(jobs) / (submitting(submitters: 1) / 1e6)
        },
        Measure(name: "submits while two workers run, two threads", unit: "1/s", target: "at least 200000") {
            Double(jobs) / (submitting(submitters: 2) / 1e6)
        },
        Measure(name: "a submit to a paused queue", unit: "us") { submittingPaused() / Double(jobs) },
        Measure(name: "a job through submitWhenRoom, 256 waiting", unit: "us") {
            microseconds { throughRoom() } / Double(jobs)
        },
        Measure(name: "a submit that is refused", unit: "us") { refused() / Double(jobs) },
        Measure(name: "a raise among 10000 jobs", unit: "us") { changing { $0.raise(to: .visible) } },
        Measure(name: "a cancel among 10000 jobs", unit: "us") { changing { $0.cancel() } },
        Measure(name: "from submit to start on an idle queue", unit: "us") { idleLatency() },
        Measure(name: "runs for 1000 equal requests at once", unit: "runs", target: "1") { equalRequests() },
    ]

    static func microseconds(_ body: () -> Void) -> Double {
        let start = DispatchTime.now().uptimeNanoseconds
        body()
        return Double(DispatchTime.now().uptimeNanoseconds - start) / 1000
    }

    /// Of all threads, which other processes disturb less.
    static func processorMicroseconds() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
        return Double(seconds) * 1e6 + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
    }

    static func makeQueue(depth: Int = jobs) -> JobQueue<Int, Int> {
        var options = JobQueue<Int, Int>.Options()
        (options.workers, options.depth) = (2, depth)
        return JobQueue(options)
    }

    static func submit(
        to queue: JobQueue<Int, Int>, submitters: Int, completion: @escaping @Sendable (Result<Int, JobError>) -> Void
    ) {
        DispatchQueue.concurrentPerform(iterations: submitters) { submitter in
            for key in stride(from: submitter, to: jobs, by: submitters) {
                guard (try? queue.submit(.init(key: key) { _ in key }, completion: completion)) != nil else {
                    fatalError("refused")
                }
            }
        }
    }

    static func wholeJobs(submitters: Int) {
        let latch = Latch(jobs)
        let queue = makeQueue()
        submit(to: queue, submitters: submitters) { _ in latch.countDown() }
        latch.wait()
    }

    static func submitting(submitters: Int) -> Double {
        let latch = Latch(jobs)
        let queue = makeQueue()
        let time = microseconds { submit(to: queue, submitters: submitters) { _ in latch.countDown() } }
        latch.wait()
        return time
    }

    static func submittingPaused() -> Double {
        let queue = makeQueue()
        queue.pause()
        return microseconds { submit(to: queue, submitters: 1) { _ in } }
    }

    static func refused() -> Double {
        let queue = makeQueue(depth: 1)
        queue.pause()
        _ = try? queue.submit(.init(key: -1) { _ in 0 }) { _ in }
        return microseconds { for key in 0..<jobs { _ = try? queue.submit(.init(key: key) { _ in 0 }) { _ in } } }
    }

    static func throughRoom() {
        let latch = Latch(jobs)
        let queue = makeQueue()
        let room = DispatchSemaphore(value: 0)
        for key in 0..<jobs {
            queue.submitWhenRoom(
                .init(key: key) { _ in key }, completion: { _ in latch.countDown() }, admit: { _ in room.signal() })
            room.wait()
        }
        latch.wait()
    }

    /// Microseconds a change.
    static func changing(_ change: (JobSubscription) -> Void) -> Double {
        let queue = makeQueue()
        queue.pause()
        let all = (0..<10_000).compactMap { key in try? queue.submit(.init(key: key) { _ in 0 }) { _ in } }
        return microseconds { for subscription in all { change(subscription) } } / 10_000
    }

    static func idleLatency() -> Double {
        let queue = makeQueue()
        for key in 0..<2000 {
            let latch = Latch(1)
            _ = try? queue.submit(.init(key: key) { _ in 0 }) { _ in latch.countDown() }
            latch.wait()
        }
        return queue.counters.wait.quantile(0.5) / .microseconds(1)
    }

    static func equalRequests() -> Double {
        let latch = Latch(1000)
        let queue = makeQueue()
        let (begun, together) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        DispatchQueue.concurrentPerform(iterations: 1000) { _ in
            let request = JobQueue<Int, Int>.Request(key: 0) { _ in
                begun.signal()
                together.wait()
                return 0
            }
            _ = try? queue.submit(request) { _ in latch.countDown() }
        }
        begun.wait()
        together.signal()
        latch.wait()
        return Double(queue.counters.done)
    }
}

/// Opens when it was counted down to zero.
final class Latch: Sendable {
    private let left: Atomic<Int>
    private let open = DispatchSemaphore(value: 0)

    init(_ count: Int) { left = Atomic(count) }

    func countDown() {
        if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { open.signal() }
    }

    func wait() { open.wait() }
}

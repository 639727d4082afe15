/// At most one time per job, the earliest first: a binary heap that knows the position of each job. O(log n).
struct JobTimers: Sendable {
    // Not the `Heap` of swift-collections: it removes only its smallest and largest element, so that the alarm of each
    // job that ends in time would stay in it until it is due.
    private struct JobTimer: Sendable {
        /// Nanoseconds of the queue's clock.
        let due: UInt64
        /// Among alarms with the same time, the one set first comes first.
        let order: UInt64
        let job: Schedule.JobID

        func isBefore(_ other: JobTimer) -> Bool { (due, order) < (other.due, other.order) }
    }

    private var heap: [JobTimer] = []
    /// The position of a job in the heap, by the job's index; -1: none.
    private var positions: [Int] = []
    private var order: UInt64 = 0

    var earliest: UInt64? { heap.first?.due }

    /// Replaces the job's alarm, if it has one.
    mutating func set(_ job: Schedule.JobID, due: UInt64) {
        clear(job)
        while positions.count <= job.slot { positions.append(-1) }
        order += 1
        heap.append(JobTimer(due: due, order: order, job: job))
        rise(from: heap.count - 1)
    }

    mutating func clear(_ job: Schedule.JobID) {
        guard job.slot < positions.count, positions[job.slot] >= 0 else { return }
        let position = positions[job.slot]
        positions[job.slot] = -1
        let last = heap.removeLast()
        guard position < heap.count else { return }
        heap[position] = last
        positions[last.job.slot] = position
        rise(from: position)
        sink(from: positions[last.job.slot])
    }

    /// Removes and returns the earliest alarm that is due.
    mutating func next(now: UInt64) -> Schedule.JobID? {
        guard let first = heap.first, first.due <= now else { return nil }
        clear(first.job)
        return first.job
    }

    private mutating func rise(from position: Int) {
        var position = position
        let timer = heap[position]
        while position > 0, timer.isBefore(heap[(position - 1) / 2]) {
            put(heap[(position - 1) / 2], at: position)
            position = (position - 1) / 2
        }
        put(timer, at: position)
    }

    private mutating func sink(from position: Int) {
        var position = position
        let timer = heap[position]
        while true {
            var child = position * 2 + 1
            if child + 1 < heap.count, heap[child + 1].isBefore(heap[child]) { child += 1 }
            guard child < heap.count, heap[child].isBefore(timer) else { break }
            put(heap[child], at: position)
            position = child
        }
        put(timer, at: position)
    }

    private mutating func put(_ timer: JobTimer, at position: Int) {
        heap[position] = timer
        positions[timer.job.slot] = position
    }
}

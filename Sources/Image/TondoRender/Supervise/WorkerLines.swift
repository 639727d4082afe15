/// Which workers wait, which draw, and which of those may have one more request in their sockets, so that they need not wait
/// for it after the photo that they draw. Without processes and threads.
///
/// A worker has at most two callers: the first receives the avatars of its photo, the second has its turn when the first has
/// left. A worker that ended sends its second caller back, which has no part in the end.
struct WorkerLines<Worker: AnyObject, Caller> {
    private struct Line {
        let worker: Worker
        /// The first one has sent its request, and the second one may not send its own before.
        var isSent = false
        /// It takes no second caller any more.
        var isClosed = false
        var second: Caller?
    }

    /// The one used last is at the end.
    private(set) var idle: [Worker] = []
    private var lines: [Line] = []

    /// Requests that are sent, or about to be sent behind another one, and not answered.
    var requests: Int { lines.reduce(0) { $0 + ($1.isSent ? 1 : 0) + ($1.second == nil ? 0 : 1) } }

    /// The worker that was used last, which has one caller now, until `leave` or `end`.
    mutating func take() -> Worker? {
        guard let worker = idle.popLast() else { return nil }
        add(worker)
        return worker
    }

    /// A worker was started, for one caller.
    mutating func add(_ worker: Worker) { lines.append(Line(worker: worker)) }

    /// A worker was started, or has no caller any more.
    mutating func keep(_ worker: Worker) { idle.append(worker) }

    mutating func takeIdle() -> [Worker] {
        defer { idle = [] }
        return idle
    }

    /// The worker that has drawn its photo for longest, and has no second caller yet: this one is it.
    mutating func join(_ caller: Caller) -> Worker? {
        guard let index = lines.firstIndex(where: { $0.isSent && !$0.isClosed && $0.second == nil }) else { return nil }
        lines[index].second = caller
        lines[index].isSent = false
        return lines[index].worker
    }

    /// The caller that came last has sent its request.
    mutating func sent(to worker: Worker) {
        guard let index = index(of: worker) else { return }
        lines[index].isSent = true
    }

    /// The first caller has its answer. Returns the one whose turn it is; without one, the worker has no caller, and belongs to
    /// this caller. `isWorn`: the worker is to be replaced, and takes no further caller.
    mutating func leave(_ worker: Worker, isWorn: Bool) -> Caller? {
        guard let index = index(of: worker) else { return nil }
        var line = lines.remove(at: index)
        guard let next = line.second else { return nil }
        line.second = nil
        line.isClosed = line.isClosed || isWorn
        // Behind the others: it begins its photo now.
        lines.append(line)
        return next
    }

    /// The worker has ended. Returns the caller to send back.
    mutating func end(_ worker: Worker) -> Caller? {
        guard let index = index(of: worker) else { return nil }
        return lines.remove(at: index).second
    }

    private func index(of worker: Worker) -> Int? { lines.firstIndex { $0.worker === worker } }
}

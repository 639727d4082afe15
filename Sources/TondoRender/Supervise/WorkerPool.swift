internal import Synchronization
internal import TondoImage

/// The workers of one kind: started when they are needed, and kept for the next photo. Usable from any thread; blocks.
final class WorkerPool: Sendable {
    private struct State {
        /// The one used last is at the end.
        var idle: [WorkerProcess] = []
        var counters = RenderWorkers.Counters()
    }

    let program: String
    private let options: RenderWorkers.Options
    private let gate: SlotGate?
    private let state = Mutex(State())

    init(_ kind: WorkerKind, _ options: RenderWorkers.Options) {
        (self.program, self.options) = (options.program(of: kind), options)
        gate = kind.most(of: options.slots).map { SlotGate(slots: $0) }
    }

    deinit { endIdle() }

    var counters: RenderWorkers.Counters { state.withLock { $0.counters } }

    /// Callers that wait for a slot.
    var waiting: Int { gate?.waiting ?? 0 }

    /// Starts a worker and keeps it for the first photo. One that another process ended before it was ready is replaced.
    func prepare() throws(WorkerFailure) {
        var retry = KillRetry()
        let deadline = SuspendingClock.now + options.start
        while true {
            do {
                let worker = try start()
                return state.withLock { $0.idle.append(worker) }
            } catch { guard error == .killed, retry.waitForNextTry(before: deadline) else { throw error } }
        }
    }

    /// Ends the workers without a photo.
    func endIdle() {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        for worker in idle { stop(worker) }
    }

    /// Calls `body` in one of the slots, for which it may have to wait. Throws `late` if none is free before the deadline.
    func inSlot<Result>(before deadline: SuspendingClock.Instant, _ body: () throws -> Result) throws -> Result {
        guard let gate else { return try body() }
        guard gate.enter(before: deadline) else { throw WorkerFailure.late }
        defer { gate.leave() }
        return try body()
    }

    /// Throws a `RenderError`, a `WorkerFailure`, or an error of `body`.
    func draw(
        _ request: RenderRequest, _ photo: WorkerProcess.Photo, _ deadline: SuspendingClock.Instant,
        _ body: ([UInt8], Int) throws -> Void
    ) throws -> RenderEnding {
        let worker = try takeWorker()
        do {
            let ending = try worker.draw(request, photo, deadline: deadline, body: body)
            keep(worker)
            return ending
        } catch let error as RenderError {
            if error.error == .otherFonts { endOutdated(worker) } else { keep(worker) }
            throw error
        } catch {
            count(error)
            throw error
        }
    }
}

// MARK: Starting and ending

extension WorkerPool {
    /// One that waits, or a new one. Those that were ended while they waited cost no photo a try.
    private func takeWorker() throws(WorkerFailure) -> WorkerProcess {
        while let worker = state.withLock({ $0.idle.popLast() }) {
            if worker.isWaiting { return worker }
            state.withLock { $0.counters.killed += 1 }
            stop(worker)
        }
        return try start()
    }

    private func start() throws(WorkerFailure) -> WorkerProcess {
        let worker: WorkerProcess
        do { worker = try WorkerProcess(program, memory: options.memory, within: options.start) } catch {
            if error == .killed { state.withLock { $0.counters.killed += 1 } }
            throw error
        }
        state.withLock { state in
            state.counters.started += 1
            state.counters.running += 1
            state.counters.landlock = worker.landlock
        }
        return worker
    }

    private func stop(_ worker: WorkerProcess) {
        worker.end()
        state.withLock { $0.counters.running -= 1 }
    }

    /// The fonts changed on the disk: whatever was started before, or is asked for the fonts before, is of no use.
    private func endOutdated(_ worker: WorkerProcess) {
        state.withLock { $0.counters.otherFonts += 1 }
        stop(worker)
        endIdle()
    }

    private func keep(_ worker: WorkerProcess) {
        let isWorn = worker.answers >= options.answers || worker.held > options.held
        state.withLock { state in
            if isWorn { state.counters.replaced += 1 } else { state.idle.append(worker) }
        }
        if isWorn { stop(worker) }
    }

    /// The worker has ended.
    private func count(_ error: any Error) {
        state.withLock { state in
            state.counters.running -= 1
            switch error as? WorkerFailure {
            case .crashed: state.counters.crashed += 1
            case .killed: state.counters.killed += 1
            case .late: state.counters.late += 1
            case .unavailable, .missing, nil: break
            }
        }
    }
}

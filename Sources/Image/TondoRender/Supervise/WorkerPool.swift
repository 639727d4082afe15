internal import Synchronization
internal import TondoImage

/// The workers of one kind: started when they are needed, and kept for the next photo. Usable from any thread; blocks.
///
/// A caller that comes when all slots are taken has its photo sent to a worker that draws another one, and waits for its turn.
/// That one has no deadline of its own, but the caller before it has.
final class WorkerPool: Sendable {
    private struct State {
        var lines = WorkerLines<WorkerProcess, Waiter>()
        var counters = RenderWorkers.Counters()
    }

    let program: String
    /// The path of the face model; nil: its workers find no faces.
    private let faceModel: String?
    private let options: RenderWorkers.Options
    private let gate: SlotGate?
    /// The slots that all kinds of workers share; nil: there are no more callers than slots.
    private let slots: SlotGate?
    private let state = Mutex(State())

    init(kind: WorkerKind, options: RenderWorkers.Options, slots: SlotGate?) {
        self.program = options.program(of: kind)
        faceModel = kind.findsFaces ? options.faceModel : nil
        self.options = options
        self.slots = slots
        gate = kind.most(of: options.slots).map { SlotGate(slots: $0) }
    }

    deinit { endIdle() }

    var counters: RenderWorkers.Counters { state.withLock { $0.counters } }

    var requests: Int { state.withLock { $0.lines.requests } }

    /// Callers that wait for a slot.
    var waiting: Int { gate?.waiting ?? 0 }

    /// Starts a worker and keeps it for the first photo. One that another process ended before it was ready is replaced.
    func prepare() throws(WorkerFailure) {
        var retry = KillRetry()
        let deadline = SuspendingClock.now + options.start
        while true {
            do {
                let worker = try start()
                return state.withLock { $0.lines.keep(worker) }
            } catch { guard error == .killed, retry.waitForNextTry(before: deadline) else { throw error } }
        }
    }

    /// Ends the workers without a photo.
    func endIdle() {
        for worker in state.withLock({ $0.lines.takeIdle() }) { stop(worker) }
    }

    /// Calls `body` in one of the slots, for which it may have to wait. Throws `late` if none is free before the deadline.
    func inSlot<Result>(before deadline: SuspendingClock.Instant, _ body: () throws -> Result) throws -> Result {
        guard let gate else { return try body() }
        guard gate.enter(before: deadline) else { throw WorkerFailure.late }
        defer { gate.leave() }
        return try body()
    }

    /// The worker ended while it drew another photo.
    struct SentBack: Error {}

    /// The time in which other photos are drawn is added to `deadline`. Throws a `RenderError`, a `WorkerFailure`, an error of
    /// `body`, or `SentBack`.
    func draw(
        _ request: RenderRequest, of photo: WorkerProcess.Photo, deadline: inout SuspendingClock.Instant,
        body: ([UInt8], Int) throws -> Void
    ) throws -> RenderEnding {
        let (worker, turn) = try seat(&deadline)
        var sent: WorkerProcess.Sent?
        // The worker reads nothing while it draws: a long photo would fill the socket and block this thread.
        if turn == nil || photo.isShort { sent = send(request, of: photo, to: worker, deadline: deadline) }
        if let turn {
            Self.wait(until: &deadline, body: turn.wait)
            if turn.isSentBack { throw SentBack() }
        }
        do {
            let ending = try worker.receive(
                request, sent: sent ?? send(request, of: photo, to: worker, deadline: deadline), deadline: deadline,
                body: body)
            keep(worker)
            return ending
        } catch let error as RenderError {
            if error.error == .otherFonts { endOutdated(worker) } else { keep(worker) }
            throw error
        } catch {
            count(error, of: worker)
            throw error
        }
    }

    private func send(
        _ request: RenderRequest, of photo: WorkerProcess.Photo, to worker: WorkerProcess,
        deadline: SuspendingClock.Instant
    ) -> WorkerProcess.Sent {
        defer { state.withLock { $0.lines.sent(to: worker) } }
        return worker.send(request, photo: photo, deadline: deadline)
    }

    /// A worker, and what to wait for before it draws for this caller.
    private func seat(
        _ deadline: inout SuspendingClock.Instant
    ) throws(WorkerFailure) -> (worker: WorkerProcess, turn: Waiter?) {
        guard let slots else { return (try takeWorker(), nil) }
        if !slots.enterAtOnce() {
            // Photos of another kind, which need a slot, are not overtaken.
            if slots.waiting == 0 {
                let turn = Waiter()
                if let worker = state.withLock({ $0.lines.join(turn) }) { return (worker, turn) }
            }
            Self.wait(until: &deadline, body: slots.enter)
        }
        do { return (try takeWorker(), nil) } catch {
            slots.leave()
            throw error
        }
    }

    private static func wait(until deadline: inout SuspendingClock.Instant, body: () -> Void) {
        deadline += SuspendingClock().measure(body)
    }
}

// MARK: Starting and ending

extension WorkerPool {
    /// One that waits, or a new one. Those that were ended while they waited cost no photo a try.
    private func takeWorker() throws(WorkerFailure) -> WorkerProcess {
        while let worker = state.withLock({ $0.lines.take() }) {
            if worker.isWaiting { return worker }
            state.withLock { state in
                _ = state.lines.end(worker)
                state.counters.killed += 1
            }
            stop(worker)
        }
        let worker = try start()
        state.withLock { $0.lines.add(worker) }
        return worker
    }

    private func start() throws(WorkerFailure) -> WorkerProcess {
        let worker: WorkerProcess
        do {
            worker = try WorkerProcess(
                program: program, memory: options.memory, faceModel: faceModel, within: options.start)
        } catch {
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
        let second = state.withLock { state in
            state.counters.otherFonts += 1
            return state.lines.end(worker)
        }
        stop(worker)
        endIdle()
        leave(second)
    }

    private func keep(_ worker: WorkerProcess) {
        let isWorn = worker.answers >= options.answers || worker.held > options.held
        let next: Waiter? = state.withLock { state in
            if let next = state.lines.leave(worker, isWorn: isWorn) { return next }
            if isWorn { state.counters.replaced += 1 } else { state.lines.keep(worker) }
            return nil
        }
        // It has the slot, too.
        if let next { return next.admit() }
        if isWorn { stop(worker) }
        slots?.leave()
    }

    /// The caller of a worker that ended leaves its slot, and the one behind it begins again.
    private func leave(_ second: Waiter?) {
        slots?.leave()
        second?.sendBack()
    }

    /// The worker has ended.
    private func count(_ error: any Error, of worker: WorkerProcess) {
        let second = state.withLock { state in
            state.counters.running -= 1
            switch error as? WorkerFailure {
            case .crashed: state.counters.crashed += 1
            case .killed: state.counters.killed += 1
            case .late: state.counters.late += 1
            case .unavailable, .missing, nil: break
            }
            return state.lines.end(worker)
        }
        leave(second)
    }
}

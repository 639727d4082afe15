internal import Synchronization
package import TondoImage

/// The workers that draw the photos of one program. As many as are drawing at once, started when they are needed and kept
/// for the next photo. Usable from any thread; blocks.
package final class RenderWorkers: Sendable {
    package struct Options: Sendable {
        /// The path of `tondo-render`.
        package var program: String
        /// Bytes of address space of each worker.
        package var memory: Int
        /// A worker is replaced after so many photos.
        package var answers = 1_000
        /// A worker whose allocator holds more bytes after a photo is replaced.
        package var held = 128 << 20
        /// Between the start of a worker and its first message.
        package var start = Duration.seconds(10)
        /// For one photo, where the caller has no limit.
        package var longest = Duration.seconds(600)

        package init(program: String, limits: Limits = Limits()) {
            self.program = program
            // The photo and what its decoder holds, and the program itself.
            memory = (256 << 20) + 2 * limits.maxMemory
        }
    }

    /// Since the start of the program.
    package struct Counters: Sendable, Equatable {
        package var started = 0
        /// Ended by a fault of their own.
        package var crashed = 0
        /// Ended at a deadline.
        package var late = 0
        /// Ended by another process.
        package var killed = 0
        /// Replaced after many photos, or because of their memory.
        package var replaced = 0
        /// Processes at this moment.
        package var running = 0
        /// The version of Landlock that confines the one started last; 0: the kernel has none.
        package var landlock = 0
    }

    /// The bytes of a photo.
    package enum Photo {
        case bytes(UnsafeRawBufferPointer)
        /// `isUnchanged`: whether the file still is what the caller takes it for, called after the worker read it.
        case file(Int32, offset: Int, count: Int, isUnchanged: () -> Bool)
    }

    /// The file that a worker reads changed meanwhile; nothing was passed to `body`.
    package struct ChangedFile: Error {}

    private struct State {
        /// The one used last is at the end.
        var idle: [WorkerProcess] = []
        var counters = Counters()
    }

    package let options: Options
    private let state = Mutex(State())

    package init(_ options: Options) { self.options = options }

    deinit { endIdle() }

    package var counters: Counters { state.withLock { $0.counters } }

    /// Starts a worker and keeps it for the first photo.
    package func prepare() throws(WorkerFailure) {
        let worker = try startUntilReady()
        state.withLock { $0.idle.append(worker) }
    }

    /// Ends the workers without a photo.
    package func endIdle() {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        for worker in idle { stop(worker) }
    }

    private func stop(_ worker: WorkerProcess) {
        worker.end()
        state.withLock { $0.counters.running -= 1 }
    }

    private func start() throws(WorkerFailure) -> WorkerProcess {
        let worker: WorkerProcess
        do { worker = try WorkerProcess(options.program, memory: options.memory, within: options.start) } catch {
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
}

extension RenderWorkers {
    /// Draws these avatars of one photo, and passes each to `body` in their order. `limit`: the time after which the worker
    /// is ended. A worker that another process ended is replaced, and draws what is missing.
    ///
    /// Throws a `RenderError` (`decoderCrashed`, `timedOut` and `noDecoder` are made here), a `ChangedFile`, or an error of
    /// `body`.
    package func draw(
        _ avatars: [RenderRequest.Avatar], _ setup: RenderSetup, of photo: Photo, crop: CropRectangle?,
        within limit: Duration?, timer: StepTimer? = nil, body: ([UInt8], Int) throws -> Void
    ) throws -> (header: ImageHeader, warnings: [Warning]) {
        let deadline = SuspendingClock.now + (limit ?? options.longest)
        var request = RenderRequest(setup: setup, avatars: avatars, crop: crop, source: photo.source)
        for attempt in 1... {
            do {
                let ending = try draw(request, photo, deadline) { png, index in
                    if case .file(_, _, _, let isUnchanged) = photo, request.avatars.count == avatars.count {
                        guard isUnchanged() else { throw ChangedFile() }
                    }
                    try body(png, index)
                    request.avatars.removeFirst()
                }
                for step in ending.steps { timer?(step.step, step.time) }
                return (ending.header, ending.warnings)
            } catch WorkerFailure.killed where attempt < Self.attempts {
                continue
            } catch let failure as WorkerFailure { throw failure.renderError }
        }
        preconditionFailure("the loop has no end")
    }

    /// Tries of a photo whose worker was ended by another process while it drew, and tries to start a worker.
    private static let attempts = 5

    /// One that waits, or a new one. Those that were ended while they waited cost no photo a try.
    private func takeWorker() throws(WorkerFailure) -> WorkerProcess {
        while let worker = state.withLock({ $0.idle.popLast() }) {
            if worker.isWaiting { return worker }
            state.withLock { $0.counters.killed += 1 }
            stop(worker)
        }
        return try startUntilReady()
    }

    /// A worker that another process ended before it was ready is replaced.
    private func startUntilReady() throws(WorkerFailure) -> WorkerProcess {
        for _ in 1..<Self.attempts {
            do { return try start() } catch { if error != .killed { throw error } }
        }
        return try start()
    }

    private func draw(
        _ request: RenderRequest, _ photo: Photo, _ deadline: SuspendingClock.Instant,
        _ body: ([UInt8], Int) throws -> Void
    ) throws -> RenderEnding {
        let worker = try takeWorker()
        do {
            let ending = try worker.draw(request, photo.forWorker, deadline: deadline, body: body)
            keep(worker)
            return ending
        } catch let error as RenderError {
            keep(worker)
            throw error
        } catch {
            count(error)
            throw error
        }
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
            case .unavailable, nil: break
            }
        }
    }
}

extension RenderWorkers.Photo {
    fileprivate var source: RenderRequest.Source {
        switch self {
        case .bytes(let bytes): .inBand(count: bytes.count)
        case .file(_, let offset, let count, _): .descriptor(offset: offset, count: count)
        }
    }

    fileprivate var forWorker: WorkerProcess.Photo {
        switch self {
        case .bytes(let bytes): .bytes(bytes)
        case .file(let descriptor, _, _, _): .descriptor(descriptor)
        }
    }
}

extension WorkerFailure {
    /// Package-wide, so that a check at the start has the same words as a photo that failed.
    package var renderError: RenderError {
        switch self {
        case .unavailable(let reason): RenderError(stage: .decode, error: .noDecoder(reason))
        case .crashed(let reason): RenderError(stage: .decode, error: .decoderCrashed(reason))
        case .killed: RenderError(stage: .decode, error: .decoderCrashed("another process ended it each time"))
        case .late: RenderError(stage: .decode, error: .timedOut)
        }
    }
}

internal import Glibc
package import TondoImage

/// The workers that draw the photos of one program. As many as are drawing at once, started when they are needed and kept
/// for the next photo. Usable from any thread; blocks.
package final class RenderWorkers: Sendable {
    /// Which programs draw, how many processes run, and when one is replaced. Read once, by the initialiser.
    package struct Options: Sendable {
        /// The path of `tondo-render`.
        package var program: String
        /// The paths of the programs of other kinds; absent: beside `program`.
        package var programs: [WorkerKind: String] = [:]
        /// The face model, or why there is none.
        package var faces = FaceModelFile.missing
        /// The path of the face model, which workers map when they start; nil: they find no faces.
        package var faceModel: String? {
            get { faces.path }
            set { faces = newValue.map { .installed($0) } ?? .missing }
        }
        /// Photos that are drawn at once.
        package var slots = 1
        /// Each worker that draws has the next photo in its socket, so that it need not wait for it, if there are
        /// `callersOfSlot`. For a program in which no single photo is urgent: one behind a photo that takes long waits for it.
        package var isAhead = false
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

        /// `limits`: those of the photos, from which the address space of a worker follows.
        package init(program: String, limits: Limits = Limits()) {
            self.program = program
            // The photo and what its decoder holds, and the program itself.
            memory = (256 << 20) + 2 * limits.maxMemory
        }

        func program(of kind: WorkerKind) -> String {
            if kind == .standard { return program }
            let folder = program.utf8.lastIndex(of: UInt8(ascii: "/")).map { program[...$0] } ?? ""
            return programs[kind] ?? folder + kind.program
        }
    }

    /// Since the start of the program.
    package struct Counters: Sendable, Equatable {
        /// Processes that became ready; one that failed before is not counted.
        package var started = 0
        /// Ended by a fault of their own.
        package var crashed = 0
        /// Ended at a deadline.
        package var late = 0
        /// Ended by another process.
        package var killed = 0
        /// Replaced after many photos, or because of their memory.
        package var replaced = 0
        /// Ended because they had mapped other fonts than those that were asked for.
        package var otherFonts = 0
        /// Processes at this moment.
        package var running = 0
        /// The version of Landlock that confines the one started last; 0: the kernel has none.
        package var landlock = 0
    }

    /// Bytes of a photo that may be sent to a worker that still draws another one. A larger one is sent once the worker is
    /// free, unless it is passed as a file.
    package static let mostSentAhead = 64 << 10

    /// The bytes of a photo.
    package enum Photo {
        case bytes(UnsafeRawBufferPointer)
        /// `isUnchanged`: whether the file still is what the caller takes it for, called after the worker read it.
        case file(Int32, offset: Int, count: Int, isUnchanged: () -> Bool)
    }

    /// The file that a worker reads changed meanwhile; nothing was passed to `body`.
    package struct ChangedFile: Error {}

    private let options: Options
    private let pools: [WorkerKind: WorkerPool]

    /// Starts no process: the first photo of a kind does, or `prepare`.
    package init(options: Options) {
        self.options = options
        let slots = options.isAhead ? SlotGate(slots: options.slots) : nil
        pools = Dictionary(
            uniqueKeysWithValues: WorkerKind.allCases.map { ($0, WorkerPool(kind: $0, options: options, slots: slots)) }
        )
    }

    /// Threads that are of use for each slot.
    package var callersOfSlot: Int { options.isAhead ? 2 : 1 }

    /// Photos of each kind that are drawn at once, by its index; nil: as many as there are slots. A queue that keeps to it has no
    /// caller wait for a slot of its kind.
    package var slotsOfKinds: [Int?] { WorkerKind.allCases.map { $0.most(of: options.slots) } }

    /// The counters of all kinds of workers together.
    package var counters: Counters { pools.values.reduce(into: Counters()) { $0.add($1.counters) } }

    /// The counters of the workers of one kind.
    package func counters(of kind: WorkerKind) -> Counters { pool(kind).counters }

    /// Photos that wait for a slot of this kind.
    package func waiting(for kind: WorkerKind) -> Int { pool(kind).waiting }

    /// Photos that workers of this kind have and have not answered.
    func requests(of kind: WorkerKind) -> Int { pool(kind).requests }

    /// Whether the program of this kind is there.
    package func isInstalled(_ kind: WorkerKind) -> Bool { access(pool(kind).program, X_OK) == 0 }

    /// Whether letters can be drawn at this moment.
    package var initials: InitialsProgram { !isInstalled(.text) ? .missing : FontSet().isEmpty ? .noFonts : .installed }

    /// The path of the face model; nil: no worker finds faces.
    package var faceModel: String? { options.faceModel }

    /// The face model, as it was found before the first worker was started.
    package var faces: FaceModelFile { options.faces }

    /// Starts a worker and keeps it for the first photo.
    package func prepare(_ kind: WorkerKind = .standard) throws(WorkerFailure) { try pool(kind).prepare() }

    /// Ends the workers without a photo.
    package func endIdle() { for pool in pools.values { pool.endIdle() } }

    private func pool(_ kind: WorkerKind) -> WorkerPool {
        guard let pool = pools[kind] else { preconditionFailure("every kind has a pool") }
        return pool
    }
}

extension RenderWorkers {
    /// Draws these avatars of one photo, and passes each to `body` in their order. `format`: of the photo, as probed. `limit`:
    /// the time after which the worker is ended; waiting for a slot is a part of it. A worker that another process ended is
    /// replaced, and draws what is missing.
    ///
    /// Throws a `RenderError` (`decoderCrashed`, `timedOut` and `noDecoder` are made here, and `overMemory` for a worker whose
    /// limit is too low), a `ChangedFile`, or an error of `body`.
    package func draw(
        _ avatars: [RenderRequest.Avatar], with setup: RenderSetup, of photo: Photo,
        format: ImageHeader.Format = .jpeg, crop: CropRectangle?, within limit: Duration?, timer: StepTimer? = nil,
        body: ([UInt8], Int) throws -> Void
    ) throws -> PhotoInfo {
        let deadline = SuspendingClock.now + (limit ?? options.longest)
        let request = RenderRequest(setup: setup, avatars: avatars, crop: crop, source: photo.source)
        let pool = pool(WorkerKind(format))
        do {
            let ending = try pool.inSlot(before: deadline) {
                try draw(request, of: photo, in: pool, deadline: deadline, body: body)
            }
            for step in ending.steps { timer?(step.step, step.time) }
            return ending.photo
        } catch let failure as WorkerFailure {
            throw failure.renderError(of: format)
        } catch let error as RenderError where error.error == .outOfMemory && !Self.isMemoryReserved {
            // What its header shows fits: its data are made to need more. Trying again would give the same.
            throw RenderError(stage: .decode, error: .overMemory(needed: .max, limit: setup.limits.maxMemory))
        }
    }

    /// Draws a photo as a book stores it. `format`: of the photo, as probed. Throws as `draw`.
    package func fit(
        _ photo: Photo, format: ImageHeader.Format, within bounds: StorablePhoto.Bounds, limits: Limits
    ) throws -> [UInt8] {
        var fitted: [UInt8] = []
        let avatar = RenderRequest.Avatar(index: 0, keyword: "fit", text: "1")
        let setup = RenderSetup(fit: bounds, limits: limits)
        _ = try draw([avatar], with: setup, of: photo, format: format, crop: nil, within: nil) { bytes, _ in
            fitted = bytes
        }
        return fitted
    }

    /// Memory is refused when the system is short of it, and not only by the limit of the worker: the kernel promises none that
    /// it does not have (overcommit_memory of proc_sys_vm(5)).
    private static let isMemoryReserved: Bool = {
        let file = open("/proc/sys/vm/overcommit_memory", O_RDONLY | O_CLOEXEC)
        // Hidden from a service. Then a photo is refused as long as the limit is what it is.
        guard file >= 0 else { return false }
        defer { close(file) }
        var mode: UInt8 = 0
        return read(file, &mode, 1) == 1 && mode == UInt8(ascii: "2")
    }()

    private func draw(
        _ whole: RenderRequest, of photo: Photo, in pool: WorkerPool, deadline: SuspendingClock.Instant,
        body: ([UInt8], Int) throws -> Void
    ) throws -> RenderEnding {
        var (request, retry, deadline) = (whole, KillRetry(), deadline)
        while true {
            do {
                return try pool.draw(request, of: photo.forWorker, deadline: &deadline) { png, index in
                    // Checked before the first avatar only: the worker had read the whole file by then.
                    if case .file(_, _, _, let isUnchanged) = photo, request.avatars.count == whole.avatars.count {
                        guard isUnchanged() else { throw ChangedFile() }
                    }
                    try body(png, index)
                    // The next worker draws only what is missing if this one is ended by others.
                    request.avatars.removeFirst()
                }
            } catch is WorkerPool.SentBack {
                continue
            } catch WorkerFailure.killed {
                guard retry.waitForNextTry(before: deadline) else { throw WorkerFailure.killed }
            }
        }
    }
}

extension RenderWorkers.Counters {
    fileprivate mutating func add(_ other: Self) {
        started = started + other.started
        crashed = crashed + other.crashed
        late = late + other.late
        killed = killed + other.killed
        replaced = replaced + other.replaced
        otherFonts += other.otherFonts
        running = running + other.running
        landlock = max(landlock, other.landlock)
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
        case .missing(let program):
            RenderError(stage: .decode, error: .noDecoder("\(program): \(String(cString: strerror(ENOENT)))"))
        case .crashed(let reason): RenderError(stage: .decode, error: .decoderCrashed(reason))
        case .killed: RenderError(stage: .decode, error: .decoderCrashed("another process ended it each time"))
        case .late: RenderError(stage: .decode, error: .timedOut)
        }
    }

    /// The error for a photo in this format. A format whose decoder is in a package of its own counts as unknown as
    /// long as that package is not installed: nothing remembers it.
    func renderError(of format: ImageHeader.Format) -> RenderError {
        guard case .missing = self, let package = WorkerKind(format).package else { return renderError }
        return RenderError(stage: .probe, error: .unsupported("\(format.name) (install \(package))"))
    }
}

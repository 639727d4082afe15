internal import Dispatch
internal import Synchronization
package import SystemPackage
package import TondoCache
internal import TondoDigest
package import TondoImage
package import TondoJobs
internal import TondoRedis
package import TondoRender

/// The way of every avatar: request -> open queue -> cache -> draw queue -> avatar.
///
/// The open queue opens the photo, takes its digest, and looks the keys up: a hit ends there, and never waits behind a
/// decode. A miss becomes a job of the draw queue; equal jobs share one decode. Both queues run on a bounded number of
/// Dispatch threads. Usable from any thread; nothing here blocks its caller. Completions must not block: they would hold
/// up a worker.
package final class AvatarPipeline: Sendable {
    package struct Options: Sendable {
        package var limits = Limits()
        package var queue = JobQueue<AvatarJobKey, [Avatar]>.Options()
        /// The time limit of one photo's avatars, longer for large ones; a worker that hangs keeps no other from
        /// working. Nil: no limit.
        package var timeout: Duration? = .seconds(30)
        /// After this time an opening is slow, see `avatars`. A hit takes a hundredth of it, so that a client that does not
        /// wait gets a stored avatar, and not the placeholder, also from a busy machine.
        package var slowOpening = Duration.milliseconds(100)
        /// The maximum number of photos queued for opening.
        package var openDepth = 1_024
        /// Photos that are opened at once; nil: as many as are drawn, at least two, so that one slow file does not stop all.
        package var openWorkers: Int?
        /// Bytes of photos that stay in memory between the two queues; nil: 4 MB for each worker of both.
        var keptPhotos: Int?
        /// Without a request for so long, idle workers end, and memory and connections are released.
        var idle = DispatchTimeInterval.seconds(6)
        /// Called on a Dispatch thread after `idle` without a request: the cache has written its index too.
        package var onIdle: @Sendable () -> Void = {}
        /// Called on a Dispatch thread once a minute while there are requests.
        package var onMinute: @Sendable () -> Void = {}
        /// When a loader retries photos that failed for a transient reason.
        package var retry = PhotoRetry()
        package var system = PipelineEnvironment()
        /// The photos of contacts without a usable one; by default they get the silhouette.
        package var initials = InitialsPhotos.none
        /// The avatars that instances share, behind the cache; nil: there is no connection.
        package var shared: SharedTier?
        /// The folder with the photos of URLs that `tondo sync` fetched, see `FetchedPhotos`; nil: such photos are not shown.
        package var fetchedPhotos: FilePath?
        /// Jobs with avatars of more than `AvatarJob.largeSide` pixels that run at once, except for HEIC and AVIF, which have a
        /// smaller limit of their own. Each takes as much memory as a hundred others. Nil: any number.
        package var largeAtOnce: Int?
        /// Decode the photos, in processes of their own; nil: they are decoded in this process.
        package var workers: RenderWorkers?
        /// Finds faces in photos that are decoded in this process.
        package var faces: FaceDetector?
        /// Faces are found where photos are decoded; else the crop `face` shows the centre.
        package var hasFaceModel: Bool { workers.map { $0.faceModel != nil } ?? (faces != nil) }

        /// Only a few background jobs per worker are queued; further requests wait for room.
        package init() { queue.room = max(4 * queue.workers, 8) }
    }

    package typealias Completion = @Sendable (Result<[Avatar], AvatarFailure>) -> Void
    /// Called with what can be shown meanwhile: see `AvatarJob.former`.
    package typealias Drawing = @Sendable (Avatar?) -> Void

    package let cache: AvatarCache?
    package let options: Options
    /// The durations of the drawing steps.
    package let steps = StepTimes()
    let openQueue: JobQueue<OpenKey, OpenResult>
    private let drawQueue: JobQueue<AvatarJobKey, [Avatar]>
    /// Requests that are not opened yet, or not yet passed on.
    private let opening = DispatchGroup()
    let openingPhotos: OpeningPhotos
    let keptPhotos: KeptPhotos
    private let idleTimer: IdleTimer
    private let deferred: DeferredStores?
    /// Nil without a shared tier.
    private let lookups: SharedLookups?

    /// What a request does if a queue is full.
    package enum Admission: Sendable {
        /// It fails with the code `queue-full`.
        case refuse
        /// It waits for room, without a limit of time.
        case wait
    }

    /// `cache`: nil draws every request.
    package init(cache: AvatarCache?, _ options: Options = Options()) {
        self.cache = cache
        self.options = options
        drawQueue = JobQueue(Self.drawOptions(options))
        let open = Self.openOptions(options)
        let deferred = options.shared.flatMap { _ in cache.map { DeferredStores(cache: $0) } }
        self.deferred = deferred
        // Without a cache nothing is shared, see `CachingRenderer`.
        lookups = cache == nil ? nil : options.shared.flatMap { SharedLookups($0, deferred, depth: options.openDepth) }
        openQueue = JobQueue(open)
        openingPhotos = OpeningPhotos(limit: options.timeout)
        keptPhotos = KeptPhotos(limit: options.keptPhotos ?? (Self.openers(options) + options.queue.workers) << 22)
        idleTimer = IdleTimer(after: options.idle, whileActive: options.onMinute) { [weak cache] in
            cache?.releaseMemory()
            options.workers?.endIdle()
            options.shared?.pool.closeIdle()
            options.onIdle()
        }
    }

    /// A photo whose kind has all its slots taken waits in the queue, and not on a thread that another photo could use.
    private static func drawOptions(_ options: Options) -> JobQueue<AvatarJobKey, [Avatar]>.Options {
        var draw = options.queue
        draw.kinds = options.workers?.slotsOfKinds ?? WorkerKind.allCases.map { _ in nil }
        // After the kinds of workers.
        draw.kinds.append(options.largeAtOnce)
        return draw
    }

    private static func openers(_ options: Options) -> Int { options.openWorkers ?? max(options.queue.workers, 2) }

    private static func openOptions(_ options: Options) -> JobQueue<OpenKey, OpenResult>.Options {
        var open = JobQueue<OpenKey, OpenResult>.Options()
        open.workers = openers(options)
        // A look into the shared tier is waiting for the most part.
        if options.shared != nil, options.openWorkers == nil { open.workers = max(open.workers, 8) }
        open.depth = options.openDepth
        open.room = 4 * open.workers
        // An accepted request waits once more, in the draw queue: the burst is shorter than that queue's.
        open.wait = QueueTimeout(longest: .milliseconds(200), burst: .seconds(2))
        open.longestWait = .seconds(10)
        open.now = options.queue.now
        return open
    }

    package func styles(_ styles: [Style]) -> StyleSet {
        let source = CachingRenderer(
            styles: styles, limits: options.limits, cache: cache, shared: options.shared, deferred: deferred,
            timer: { [steps] in steps.record($0, time: $1) }, workers: options.workers, timeout: options.timeout,
            hasFaceModel: options.hasFaceModel, faces: options.faces)
        return StyleSet(styles, source: source)
    }

    /// Calls `completion` once, with an avatar for every style in their order: on a worker, or on this thread if the
    /// request is refused.
    ///
    /// `onSlow` is called if the avatars take a while: the photo is not opened yet, or they have to be drawn. `admitted`
    /// is called once, when the draw queue had room or the request ended: a caller with many requests submits the next
    /// one there, which bounds the backlog. Both may be called after `completion`, and before this returns.
    @discardableResult
    package func avatars(
        _ request: AvatarRequest, _ admission: Admission = .refuse, onSlow: Drawing? = nil,
        admitted: @escaping @Sendable () -> Void = {}, completion: @escaping Completion
    ) -> AvatarTask {
        run(request, admission, onSlow: onSlow, admitted: admitted) { completion($0.mapError { AvatarFailure($0) }) }
    }

    /// Makes the avatars of a photo that was opened before, as `known`. It is not opened again if the shared tier has
    /// its avatar, and the cache does not.
    func avatars(_ request: AvatarRequest, of known: KnownPhoto, completion: @escaping Completion) {
        guard let lookups, request.styles.styles.count == 1 else {
            avatars(request, completion: completion)
            return
        }
        idleTimer.recordActivity()
        let isAccepted = lookups.find(known, for: request) { [self] outcome in
            switch outcome {
            case .found(var avatar):
                avatar.photo = known
                completion(.success([avatar]))
            case .stored: avatars(request, completion: completion)
            case .missing:
                var request = request
                request.isNew = true
                avatars(request, completion: completion)
            }
        }
        if !isAccepted { avatars(request, completion: completion) }
    }

    /// Whether it is of use to know photos, see `avatars(_:of:completion:)`.
    var looksUp: Bool { lookups != nil }

    /// Makes the avatars of a request, and reports errors untranslated.
    @discardableResult
    func run(
        _ request: AvatarRequest, _ admission: Admission, onSlow: Drawing? = nil,
        admitted: @escaping @Sendable () -> Void = {},
        completion: @escaping JobQueue<AvatarJobKey, [Avatar]>.Completion
    ) -> AvatarTask {
        idleTimer.recordActivity()
        let task = AvatarTask(priority: request.priority)
        opening.enter()
        let opened: JobQueue<OpenKey, OpenResult>.Completion = { [self] result in
            defer { opening.leave() }
            switch result {
            case .success(.stored(let avatars)):
                task.end()
                completion(.success(avatars))
                admitted()
            case .success(.explained): preconditionFailure("an explanation shares its job with no other request")
            case .success(.missing(let job, let former)):
                onSlow?(former)
                draw(job, admission: admission, task: task, admitted: admitted, completion: completion)
            case .failure(let error):
                task.end()
                completion(.failure(error))
                admitted()
            }
        }
        submit(open(request), to: openQueue, stage: .open, admission: admission, task: task, completion: opened)
        if let onSlow {
            options.system.after(options.slowOpening) { if task.isOpening { onSlow(nil) } }
        }
        return task
    }

    private func draw(
        _ job: AvatarJob, admission: Admission, task: AvatarTask, admitted: @escaping @Sendable () -> Void,
        completion: @escaping JobQueue<AvatarJobKey, [Avatar]>.Completion
    ) {
        // A job that read its photo from a pipe, or has passed avatars on, cannot begin again.
        let isRepeatable = job.request.output == nil && !job.isReadOnce
        let wait =
            isRepeatable && job.request.isLocked
            ? options.shared.map { SharedWait(options: $0.options) } : nil
        var request = JobQueue<AvatarJobKey, [Avatar]>.Request(key: job.key) { [system = options.system] context in
            try context.check()
            try system.drawing()
            if let output = job.request.output {
                return try output.perform(isRepeatable: !job.isReadOnce) { try job.make() }
            }
            return try job.make(waiting: wait)
        }
        request.priority = task.priority
        request.kind = job.queueKind
        request.limit = options.timeout.map { $0 * job.effort + (wait?.longest ?? .zero) }
        // An output has the first avatars already.
        if job.request.output == nil {
            request.retry =
                wait?.retry(shortages: 3)
                ?? JobRetry(attempts: 3) { ($0 as? RenderError)?.error == .outOfMemory }
        }
        submit(request, to: drawQueue, stage: .draw, admission: admission, task: task, admitted: admitted) {
            [idleTimer] result in
            idleTimer.recordActivity()
            task.end()
            job.note(result)
            completion(result)
        }
    }

    /// A submission that is refused, or cancelled while it waits, calls `completion` with the reason.
    private func submit<Key, Value>(
        _ request: JobQueue<Key, Value>.Request, to queue: JobQueue<Key, Value>, stage: AvatarStage,
        admission: Admission, task: AvatarTask, admitted: @escaping @Sendable () -> Void = {},
        completion: @escaping JobQueue<Key, Value>.Completion
    ) {
        switch admission {
        case .refuse:
            do {
                task.follow(try queue.submit(request, completion: completion), in: stage)
            } catch { completion(.failure(error)) }
            admitted()
        case .wait:
            let waiter = queue.submitWhenRoom(request, completion: completion) { result in
                switch result {
                case .success(let subscription): task.follow(subscription, in: stage)
                case .failure(let error): completion(.failure(error))
                }
                admitted()
            }
            task.follow(waiter, in: stage)
        }
    }

    /// The time for which photos have been queued while no job ended, beyond the time limit of running jobs, in the queue
    /// where that is longer; drawing that is paused does not count. More than `longestStandstill` means that a queue has
    /// stopped for good.
    package var standstill: Duration { max(openQueue.standstill, drawQueue.standstill) }

    /// Twice the time limit of one photo.
    package var longestStandstill: Duration { (options.timeout ?? .seconds(3_600)) * 2 }

    package var isStuck: Bool { standstill > longestStandstill }

    /// The counters of the draw queue, and the requests refused before it. Equal requests that were opened together are
    /// counted as coalesced once, in the draw queue.
    package var counters: JobCounters {
        var (counters, opened) = (drawQueue.counters, openQueue.counters)
        counters.refused += opened.refused + opened.overdue
        return counters
    }

    /// The processes that decode photos.
    package var decoder: JobsReport.Decoder {
        var report = JobsReport.Decoder()
        guard let workers = options.workers else { return report }
        let counters = workers.counters
        report.sandbox = "on"
        report.landlock = counters.landlock
        report.running = counters.running
        report.started = counters.started
        report.crashed = counters.crashed
        report.timedOut = counters.late
        report.killed = counters.killed
        report.replaced = counters.replaced
        report.heif = workers.isInstalled(.heif) ? "installed" : "missing"
        report.text = workers.initials.rawValue
        report.faces = workers.faces.state.rawValue
        return report
    }

    /// Starts no job of the draw queue until `resume`; running ones are finished, and hits are still returned.
    package func pause() { drawQueue.pause() }

    package func resume() { drawQueue.resume() }

    /// Accepts no more requests and finishes all jobs. False if that took longer.
    package func drain(within limit: Duration) async -> Bool {
        let clock = ContinuousClock()
        let start = clock.now
        // These may open photos yet. They take 50 ms at most.
        await lookups?.finish()
        let isOpened = await openQueue.drain(within: max(limit - (clock.now - start), .zero))
        // The last jobs have ended, and may not be in the next queue yet.
        await withCheckedContinuation { done in opening.notify(queue: .global()) { done.resume() } }
        let isDrawn = await drawQueue.drain(within: max(limit - (clock.now - start), .zero))
        await deferred?.finish()
        options.workers?.endIdle()
        return isOpened && isDrawn
    }
}

extension AvatarPipeline {
    func recordActivity() { idleTimer.recordActivity() }
}

/// The key that coalesces jobs: the same photo with the same crop in the same styles.
package struct AvatarJobKey: Hashable, Sendable {
    let photo: SHA256Digest
    let crop: CropRectangle?
    let styles: [Style]
    /// Whether the bytes are not needed.
    let omitsBytes: Bool
    /// Identifies the `AvatarOutput` of this request, which no other request shares.
    let output: ObjectIdentifier?
}

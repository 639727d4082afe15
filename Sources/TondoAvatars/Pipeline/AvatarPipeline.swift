internal import Dispatch
package import TondoCache
internal import TondoContacts
package import TondoImage
package import TondoJobs

/// Request -> cache -> job -> face. What the cache has never touches the queue; what is missing is drawn by one job for
/// all who ask for it, on a bounded number of Dispatch threads. Usable from any thread; requests block theirs for as long
/// as it takes to read and name the photo, and never for the queue. Completions must not block: they hold up a worker.
package final class AvatarPipeline: Sendable {
    package struct Options: Sendable {
        package var limits = Limits()
        package var queue = JobQueue<FaceJob, [Face]>.Options()
        /// What one photo's pictures may take before they are given up, more when they are large; a worker that hangs
        /// keeps no other from working.
        package var patience = Duration.seconds(30)
        /// Photos that may wait to be opened for those who wait for their faces.
        package var asking = 1_024
        /// Called on a Dispatch thread when nobody asked this pipeline for a face for six seconds: the cache has written
        /// its index, too.
        package var onLull: @Sendable () -> Void = {}
        /// Called on a Dispatch thread once a minute while somebody does.
        package var onMinute: @Sendable () -> Void = {}
        /// When a loader tries photos again that failed for a passing reason.
        package var retry = PhotoRetry()
        package var system = PipelineSystem()

        /// Requests that may wait for room do so while a few jobs for each worker wait: each of them holds a photo.
        package init() { queue.room = max(4 * queue.workers, 8) }
    }

    package typealias Completion = @Sendable (Result<[Face], FaceFailure>) -> Void

    package let cache: AvatarCache?
    package let options: Options
    /// How long the parts of drawing took.
    package let steps = StepTimes()
    private let queue: JobQueue<FaceJob, [Face]>
    /// Who waits for a face waits here until its photo is opened.
    let asks: Asks

    private let lull: Lull
    /// Where the placeholder is looked for, as those who need it run on workers.
    private let aside = BlockingThreads(1, label: "tondo.pipeline.aside")

    typealias Asks = AskLine<FaceWish, Result<ContactFaces, FaceFailure>>

    /// `cache`: nil draws everything, every time.
    package init(cache: AvatarCache?, _ options: Options = Options()) {
        (self.cache, self.options) = (cache, options)
        queue = JobQueue(options.queue)
        lull = Lull(after: .seconds(6), meanwhile: options.onMinute, action: options.onLull)
        var asking = Asks.Options()
        (asking.width, asking.depth) = (max(options.queue.workers, 2), options.asking)
        asks = AskLine(asking, refusal: .failure(FaceFailure(JobError.queueFull(depth: options.asking))))
    }

    package func styles(_ styles: [Style]) -> StyleSet {
        let source = RenditionSource(
            styles: styles, limits: options.limits, cache: cache, timer: { [steps] in steps.record($0, $1) })
        return StyleSet(styles, source: source)
    }

    /// Calls `completion` once, with a face for every style in their order: before this returns if all are in the cache,
    /// else on a worker. A queue that is full refuses.
    @discardableResult
    package func faces(_ request: AvatarRequest, completion: @escaping Completion) -> FaceTask {
        let wanted = WantedFaces(request)
        do {
            guard let job = try job(wanted, completion) else { return FaceTask() }
            let subscription = try queue.submit(job.request, completion: job.completion)
            if queue.counters.queued > options.queue.workers { wanted.letGoOfPhoto() }
            return FaceTask(subscription: subscription)
        } catch {
            completion(.failure(FaceFailure(error)))
            return FaceTask()
        }
    }

    /// The same, but a request that finds the queue full waits for room in it; the caller does not. `admitted` is called
    /// once, when there was room or the request ended otherwise, maybe before this returns and maybe after `completion`.
    /// Whoever asks for much asks for the next one there: that bounds what waits.
    @discardableResult
    package func facesWhenRoom(
        _ request: AvatarRequest, admitted: @escaping @Sendable (FaceTask) -> Void = { _ in },
        completion: @escaping Completion
    ) -> FaceTask {
        do {
            guard let job = try job(WantedFaces(request), completion) else {
                admitted(FaceTask())
                return FaceTask()
            }
            let waiter = queue.submitWhenRoom(job.request, completion: job.completion) { admission in
                switch admission {
                case .success(let subscription): admitted(FaceTask(subscription: subscription))
                case .failure(let error):
                    completion(.failure(FaceFailure(error)))
                    admitted(FaceTask())
                }
            }
            return FaceTask(waiter: waiter)
        } catch {
            completion(.failure(FaceFailure(error)))
            admitted(FaceTask())
            return FaceTask()
        }
    }

    /// The silhouette of those without a photo. `completion` is called once, on another thread; a full queue refuses.
    package func placeholder(_ styles: StyleSet, completion: @escaping Completion) {
        aside.run { [self] in
            var request = AvatarRequest(PhotoFile(copying: Silhouette.photo), styles: styles)
            request.priority = .visible
            faces(request, completion: completion)
        }
    }

    /// For how long photos have waited to be drawn while no job ended, beyond what those being drawn may take; zero while
    /// drawing is paused. More than `longestStandstill` means that drawing has stopped for good.
    package var standstill: Duration { queue.standstill }

    /// Twice what one photo may take.
    package var longestStandstill: Duration { options.patience * 2 }

    package var isStuck: Bool { standstill > longestStandstill }

    /// What the queue has to do and did. Equal wishes that met before they came to it are coalesced, too, and those that
    /// did not even get so far are refused.
    package var counters: JobCounters {
        var (counters, asked) = (queue.counters, asks.counters)
        counters.coalesced += asked.joined
        counters.refused += asked.refused
        return counters
    }

    /// Draws nothing more until `resume`; what is being drawn is finished, and what the cache has is still given.
    package func pause() { queue.pause() }

    package func resume() { queue.resume() }

    /// Takes no more requests and finishes what it has. False when that took longer.
    package func drain(within limit: Duration) async -> Bool { await queue.drain(within: limit) }

    private typealias Request = JobQueue<FaceJob, [Face]>.Request
    /// Nil: the cache had everything, and the completion was called.
    private func job(
        _ wanted: WantedFaces, _ completion: @escaping Completion
    ) throws -> (request: Request, completion: JobQueue<FaceJob, [Face]>.Completion)? {
        lull.stir()
        if let faces = try wanted.stored() {
            completion(.success(faces))
            return nil
        }
        return (
            job(wanted),
            { [cache, lull] result in
                lull.stir()
                wanted.note(result, in: cache)
                completion(result.mapError { FaceFailure($0) })
            }
        )
    }

    private func job(_ wanted: WantedFaces) -> Request {
        var request = Request(wanted.job) { [system = options.system] context in
            try context.check()
            try system.drawing()
            return try wanted.make()
        }
        request.priority = wanted.priority
        request.limit = options.patience * wanted.effort
        request.retry = JobRetry(attempts: 3) { ($0 as? RenderError)?.error == .outOfMemory }
        return request
    }
}

/// What makes two wishes one: somebody of one book, as long as nothing about them changes, in one set of styles.
struct FaceWish: Hashable, Sendable {
    let book: ObjectIdentifier
    let contact: PackedContact
    let styles: ObjectIdentifier
}

/// What makes two requests one job: the same photo, cut alike, in the same styles.
package struct FaceJob: Hashable, Sendable {
    let photo: PhotoDigest
    let crop: CropRectangle?
    let styles: [Style]
    /// Whether the bytes are not wanted.
    let isBrief: Bool
}

/// A request under way, or one that waits for room. Letting go of it changes nothing.
package struct FaceTask: Sendable {
    var subscription: JobSubscription?
    var waiter: JobWaiter?

    /// The completion is called with a failure of code `job-cancelled`, unless it was called already.
    package func cancel() {
        waiter?.cancel()
        subscription?.cancel()
    }

    package func raise(to priority: JobPriority) { subscription?.raise(to: priority) }
}

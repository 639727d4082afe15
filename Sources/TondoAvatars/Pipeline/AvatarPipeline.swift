internal import Dispatch
package import TondoCache
internal import TondoContacts
package import TondoImage
package import TondoJobs

/// Request -> cache -> job -> avatar. A hit never enters the queue; a miss is drawn by one job for all of its waiters,
/// on a bounded number of Dispatch threads. Usable from any thread; a request blocks its thread while the photo is read
/// and its digest computed, and never for the queue. Completions must not block: they would hold up a worker.
package final class AvatarPipeline: Sendable {
    package struct Options: Sendable {
        package var limits = Limits()
        package var queue = JobQueue<FaceJob, [Face]>.Options()
        /// The time limit of one photo's avatars, longer for large ones; a worker that hangs keeps no other from
        /// working.
        package var patience = Duration.seconds(30)
        /// The maximum number of photos queued for opening by direct requests.
        package var asking = 1_024
        /// Called on a Dispatch thread after six seconds without a request: the cache has written its index by then,
        /// too.
        package var onLull: @Sendable () -> Void = {}
        /// Called on a Dispatch thread once a minute while there are requests.
        package var onMinute: @Sendable () -> Void = {}
        /// When a loader retries photos that failed for a transient reason.
        package var retry = PhotoRetry()
        package var system = PipelineSystem()

        /// The queue holds only a few jobs per worker, since each of them holds a photo; further requests wait for
        /// room.
        package init() { queue.room = max(4 * queue.workers, 8) }
    }

    package typealias Completion = @Sendable (Result<[Face], FaceFailure>) -> Void

    package let cache: AvatarCache?
    package let options: Options
    /// The durations of the drawing steps.
    package let steps = StepTimes()
    private let queue: JobQueue<FaceJob, [Face]>
    /// Direct requests are queued here until their photo is opened.
    let asks: Asks

    private let lull: Lull
    /// The thread of placeholder lookups, because those who need them run on workers.
    private let aside = BlockingThreads(1, label: "tondo.pipeline.aside")

    typealias Asks = AskLine<FaceWish, Result<ContactFaces, FaceFailure>>

    /// `cache`: nil draws every request.
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

    /// Calls `completion` once, with an avatar for every style in their order: before this returns if all are in the
    /// cache, else on a worker. A full queue refuses.
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

    /// The same, but a request that finds the queue full waits for room, without blocking the caller. `admitted` is
    /// called once, when there was room or the request ended otherwise, maybe before this returns and maybe after
    /// `completion`. A caller with many requests submits the next one there, which bounds the backlog.
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

    /// The silhouette for contacts without a photo. `completion` is called once, on another thread; a full queue
    /// refuses.
    package func placeholder(_ styles: StyleSet, completion: @escaping Completion) {
        aside.run { [self] in
            var request = AvatarRequest(PhotoFile(copying: Silhouette.photo), styles: styles)
            request.priority = .visible
            faces(request, completion: completion)
        }
    }

    /// The time for which photos have been queued while no job ended, beyond the time limit of running jobs; zero while
    /// drawing is paused. More than `longestStandstill` means that drawing has stopped for good.
    package var standstill: Duration { queue.standstill }

    /// Twice the time limit of one photo.
    package var longestStandstill: Duration { options.patience * 2 }

    package var isStuck: Bool { standstill > longestStandstill }

    /// The counters of the queue. Equal requests that coalesced before the queue, and requests refused before it, are
    /// included.
    package var counters: JobCounters {
        var (counters, asked) = (queue.counters, asks.counters)
        counters.coalesced += asked.joined
        counters.refused += asked.refused
        return counters
    }

    /// Starts no job until `resume`; running ones are finished, and hits are still returned.
    package func pause() { queue.pause() }

    package func resume() { queue.resume() }

    /// Accepts no more requests and finishes all jobs. False if that took longer.
    package func drain(within limit: Duration) async -> Bool { await queue.drain(within: limit) }

    private typealias Request = JobQueue<FaceJob, [Face]>.Request
    /// Nil: all avatars were hits, and the completion was called.
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

/// The key that coalesces requests: an unchanged contact of one book, in one set of styles.
struct FaceWish: Hashable, Sendable {
    let book: ObjectIdentifier
    let contact: PackedContact
    let styles: ObjectIdentifier
}

/// The key that coalesces jobs: the same photo with the same crop in the same styles.
package struct FaceJob: Hashable, Sendable {
    let photo: PhotoDigest
    let crop: CropRectangle?
    let styles: [Style]
    /// Whether the bytes are not needed.
    let isBrief: Bool
}

/// A running request, or one that waits for room. Releasing it changes nothing.
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

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
        package var queue = JobQueue<AvatarJobKey, [Avatar]>.Options()
        /// The time limit of one photo's avatars, longer for large ones; a worker that hangs keeps no other from
        /// working.
        package var timeout = Duration.seconds(30)
        /// The maximum number of photos queued for opening by direct requests.
        package var openDepth = 1_024
        /// Called on a Dispatch thread after six seconds without a request: the cache has written its index by then,
        /// too.
        package var onIdle: @Sendable () -> Void = {}
        /// Called on a Dispatch thread once a minute while there are requests.
        package var onMinute: @Sendable () -> Void = {}
        /// When a loader retries photos that failed for a transient reason.
        package var retry = PhotoRetry()
        package var system = PipelineSystem()

        /// The queue holds only a few jobs per worker, since each of them holds a photo; further requests wait for
        /// room.
        package init() { queue.room = max(4 * queue.workers, 8) }
    }

    package typealias Completion = @Sendable (Result<[Avatar], AvatarFailure>) -> Void

    package let cache: AvatarCache?
    package let options: Options
    /// The durations of the drawing steps.
    package let steps = StepTimes()
    private let queue: JobQueue<AvatarJobKey, [Avatar]>
    /// Direct requests are queued here until their photo is opened.
    let openQueue: AvatarOpenQueue

    private let idleTimer: IdleTimer
    /// The thread of placeholder lookups, because those who need them run on workers.
    private let placeholderThread = BlockingThreads(1, label: "tondo.pipeline.aside")

    typealias AvatarOpenQueue = OpenQueue<AvatarRequestKey, Result<ContactAvatars, AvatarFailure>>

    /// `cache`: nil draws every request.
    package init(cache: AvatarCache?, _ options: Options = Options()) {
        (self.cache, self.options) = (cache, options)
        queue = JobQueue(options.queue)
        idleTimer = IdleTimer(after: .seconds(6), whileActive: options.onMinute, action: options.onIdle)
        var openOptions = AvatarOpenQueue.Options()
        (openOptions.width, openOptions.depth) = (max(options.queue.workers, 2), options.openDepth)
        openQueue = OpenQueue(
            openOptions, refusal: .failure(AvatarFailure(JobError.queueFull(depth: options.openDepth))))
    }

    package func styles(_ styles: [Style]) -> StyleSet {
        let source = CachingRenderer(
            styles: styles, limits: options.limits, cache: cache, timer: { [steps] in steps.record($0, $1) })
        return StyleSet(styles, source: source)
    }

    /// Calls `completion` once, with an avatar for every style in their order: before this returns if all are in the
    /// cache, else on a worker. A full queue refuses.
    @discardableResult
    package func avatars(_ request: AvatarRequest, completion: @escaping Completion) -> AvatarTask {
        let renderRequest = RenderRequest(request)
        do {
            guard let job = try job(renderRequest, completion) else { return AvatarTask() }
            let subscription = try queue.submit(job.request, completion: job.completion)
            if queue.counters.queued > options.queue.workers { renderRequest.releasePhoto() }
            return AvatarTask(subscription: subscription)
        } catch {
            completion(.failure(AvatarFailure(error)))
            return AvatarTask()
        }
    }

    /// The same, but a request that finds the queue full waits for room, without blocking the caller. `admitted` is
    /// called once, when there was room or the request ended otherwise, maybe before this returns and maybe after
    /// `completion`. A caller with many requests submits the next one there, which bounds the backlog.
    @discardableResult
    package func avatarsWhenRoom(
        _ request: AvatarRequest, admitted: @escaping @Sendable (AvatarTask) -> Void = { _ in },
        completion: @escaping Completion
    ) -> AvatarTask {
        do {
            guard let job = try job(RenderRequest(request), completion) else {
                admitted(AvatarTask())
                return AvatarTask()
            }
            let waiter = queue.submitWhenRoom(job.request, completion: job.completion) { result in
                switch result {
                case .success(let subscription): admitted(AvatarTask(subscription: subscription))
                case .failure(let error):
                    completion(.failure(AvatarFailure(error)))
                    admitted(AvatarTask())
                }
            }
            return AvatarTask(waiter: waiter)
        } catch {
            completion(.failure(AvatarFailure(error)))
            admitted(AvatarTask())
            return AvatarTask()
        }
    }

    /// The silhouette for contacts without a photo. `completion` is called once, on another thread; a full queue
    /// refuses.
    package func placeholder(_ styles: StyleSet, completion: @escaping Completion) {
        placeholderThread.run { [self] in
            var request = AvatarRequest(PhotoFile(copying: Silhouette.photo), styles: styles)
            request.priority = .visible
            avatars(request, completion: completion)
        }
    }

    /// The time for which photos have been queued while no job ended, beyond the time limit of running jobs; zero while
    /// drawing is paused. More than `longestStandstill` means that drawing has stopped for good.
    package var standstill: Duration { queue.standstill }

    /// Twice the time limit of one photo.
    package var longestStandstill: Duration { options.timeout * 2 }

    package var isStuck: Bool { standstill > longestStandstill }

    /// The counters of the queue. Equal requests that coalesced before the queue, and requests refused before it, are
    /// included.
    package var counters: JobCounters {
        var (counters, opened) = (queue.counters, openQueue.counters)
        counters.coalesced += opened.joined
        counters.refused += opened.refused
        return counters
    }

    /// Starts no job until `resume`; running ones are finished, and hits are still returned.
    package func pause() { queue.pause() }

    package func resume() { queue.resume() }

    /// Accepts no more requests and finishes all jobs. False if that took longer.
    package func drain(within limit: Duration) async -> Bool { await queue.drain(within: limit) }

    private typealias Request = JobQueue<AvatarJobKey, [Avatar]>.Request
    /// Nil: all avatars were hits, and the completion was called.
    private func job(
        _ renderRequest: RenderRequest, _ completion: @escaping Completion
    ) throws -> (request: Request, completion: JobQueue<AvatarJobKey, [Avatar]>.Completion)? {
        idleTimer.recordActivity()
        if let avatars = try renderRequest.stored() {
            completion(.success(avatars))
            return nil
        }
        return (
            job(renderRequest),
            { [cache, idleTimer] result in
                idleTimer.recordActivity()
                renderRequest.note(result, in: cache)
                completion(result.mapError { AvatarFailure($0) })
            }
        )
    }

    private func job(_ renderRequest: RenderRequest) -> Request {
        var request = Request(renderRequest.job) { [system = options.system] context in
            try context.check()
            try system.drawing()
            return try renderRequest.make()
        }
        request.priority = renderRequest.priority
        request.limit = options.timeout * renderRequest.effort
        request.retry = JobRetry(attempts: 3) { ($0 as? RenderError)?.error == .outOfMemory }
        return request
    }
}

/// The key that coalesces requests: an unchanged contact of one book, in one set of styles.
struct AvatarRequestKey: Hashable, Sendable {
    let book: ObjectIdentifier
    let contact: PackedContact
    let styles: ObjectIdentifier
}

/// The key that coalesces jobs: the same photo with the same crop in the same styles.
package struct AvatarJobKey: Hashable, Sendable {
    let photo: PhotoDigest
    let crop: CropRectangle?
    let styles: [Style]
    /// Whether the bytes are not needed.
    let omitsBytes: Bool
}

/// A running request, or one that waits for room. Releasing it changes nothing.
package struct AvatarTask: Sendable {
    var subscription: JobSubscription?
    var waiter: JobWaiter?

    /// The completion is called with a failure of code `job-cancelled`, unless it was called already.
    package func cancel() {
        waiter?.cancel()
        subscription?.cancel()
    }

    package func raise(to priority: JobPriority) { subscription?.raise(to: priority) }
}

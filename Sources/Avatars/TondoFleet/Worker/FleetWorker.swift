internal import Dispatch
internal import Synchronization
package import TondoAvatars
internal import TondoCache
internal import TondoImage
internal import TondoJobs

/// Draws the jobs of a work stream until it is stopped: a member of the consumer group.
///
/// One thread speaks to Redis: it takes a few jobs, passes them to the pipeline, and ends them in transactions. A job that
/// another worker abandoned is drawn alone, because it may be the one that ends workers. While Redis is away, what is done is
/// kept, and the connection is tried again. With a shared tier a job ends once the tier has its avatars, since nothing else that
/// other machines reach has them: until then the worker keeps it, and takes no more jobs than usual.
package final class FleetWorker: Sendable {
    package struct Options: Sendable {
        /// Unique among the workers.
        package var name: String
        /// Jobs that it has at once; a few for each photo that is drawn at once, so that none of its threads waits. Half of them
        /// are taken and ended together.
        package var jobs = 8
        package var claimTime = ClaimTime()
        /// The longest time in which a stopped worker finishes its jobs.
        package var grace = Duration.seconds(10)
        package var report: @Sendable (Report) -> Void = { _ in }

        package init(name: String) { self.name = name }
    }

    package enum Report: Sendable {
        case finished(JobResult, contact: String, deliveries: Int)
        /// It goes on, and tries again.
        case unreachable(JobStreamError)
        case reachable
        /// The shared tier did not take the avatars of this contact; it is tried again.
        case unshared(contact: String)
    }

    /// A job whose avatars are drawn, and that the shared tier lacks.
    private struct Unshared {
        let id: String
        let job: DrawJob
        let avatars: [Avatar]
    }

    private struct State {
        var jobs: JobsInFlight
        var styles: [[Style]: StyleSet] = [:]
        var unshared: [Unshared] = []
        /// When the tier is tried again.
        var nextShare = ContinuousClock.now
        /// Jobs whose photos are in the Redis of the avatars, which does not answer.
        var withoutPhoto: [JobStream.Delivery] = []
        var nextPhotos = ContinuousClock.now
        /// Photos, one after the other, that this worker cannot read.
        var unread = 0
        /// No job is taken before: the cause may be this worker.
        var nextJobs = ContinuousClock.now
    }

    private let pipeline: AvatarPipeline
    private let options: Options
    private let state: Mutex<State>
    private let isStopping = Atomic<Bool>(false)
    /// Signalled when a job ends, and by `stop`.
    private let progress = DispatchSemaphore(value: 0)

    package init(_ pipeline: AvatarPipeline, options: Options) {
        self.pipeline = pipeline
        self.options = options
        state = Mutex(
            State(jobs: JobsInFlight(options.claimTime, rules: DeliveryRules(), batch: Self.batch(options))))
    }

    /// Takes no more jobs; `run` returns when the running ones are finished, or handed back. From any thread.
    package func stop() {
        isStopping.store(true, ordering: .relaxed)
        progress.signal()
    }

    private static func batch(_ options: Options) -> Int { max(options.jobs / 2, 1) }

    private var isEnding: Bool { isStopping.load(ordering: .relaxed) }

    /// Draws until `stop`. Blocks this thread, the only one that uses `stream` and `photos`.
    package func run(_ stream: JobStream, from photos: SharedPhotos) {
        var (nextClaim, failures, ending) = (ContinuousClock.now, 0, ContinuousClock.Instant?.none)
        var hasJoined = false
        while true {
            if isEnding {
                ending = ending ?? .now + options.grace
                if let ending, .now >= ending { state.withLock { $0.jobs.giveUp() } }
                // Redis is away: its jobs are claimed by others after a while.
                if failures > 0, let ending, .now >= ending { return }
            }
            shareAgain()
            beginAgain(photos)
            do throws(JobStreamError) {
                try endJobs(stream)
                if !hasJoined, !isEnding { try stream.join(options.name) }
                hasJoined = true
                if isEnding, state.withLock({ $0.jobs.isEmpty }) { return try stream.leave(options.name) }
                try round(stream, photos: photos, nextClaim: &nextClaim)
                if failures > 0 { options.report(.reachable) }
                failures = 0
            } catch {
                if failures == 0 { options.report(.unreachable(error)) }
                failures += 1
                wait(min(.milliseconds(50) * (1 << min(failures, 5)), .seconds(1)))
            }
        }
    }

    private func round(
        _ stream: JobStream, photos: SharedPhotos, nextClaim: inout ContinuousClock.Instant
    ) throws(JobStreamError) {
        let running = state.withLock { $0.jobs.count }
        let mayTake = state.withLock { $0.withoutPhoto.isEmpty && .now >= $0.nextJobs }
        if isEnding || !mayTake { return wait(.milliseconds(100)) }
        if ContinuousClock.now >= nextClaim {
            let idle = state.withLock { $0.jobs.claimTime.idle }
            if try stream.hasAbandoned(idle) {
                // Its own jobs first: if the abandoned one ends this worker, they must not be suspected. A job that has ended
                // counts until Redis knows it: after a call that took long, it may be the one that looks abandoned.
                if !state.withLock({ $0.jobs.isEmpty }) { return wait(.milliseconds(100)) }
                if let job = try stream.claim(as: options.name, idle: idle) { return begin(job, from: photos) }
            }
            nextClaim = .now + min(max(idle / 8, .milliseconds(50)), .seconds(2))
        }
        guard !state.withLock({ $0.jobs.isDrawingAlone }) else { return wait(.milliseconds(100)) }
        let room = options.jobs - running
        guard room >= min(Self.batch(options), options.jobs) else { return wait(.milliseconds(100)) }
        // Nothing ends while it waits here, because nothing runs.
        let jobs = try stream.read(room, as: options.name, waiting: running == 0 ? .milliseconds(500) : nil)
        for job in jobs { begin(job, from: photos) }
        if jobs.isEmpty, running > 0 { wait(.milliseconds(100)) }
    }

    /// Until a job ends, at most for this time, and not beyond the time at which finished jobs leave.
    private func wait(_ time: Duration) {
        let hasFinished = state.withLock { !$0.jobs.finished.isEmpty }
        let time = hasFinished ? min(time, JobsInFlight.longestWait) : time
        _ = progress.wait(timeout: .now() + .milliseconds(Int(time / .milliseconds(1))))
    }

    private func endJobs(_ stream: JobStream) throws(JobStreamError) {
        let now = ContinuousClock.now
        let (finished, back, renewals) = state.withLock { state in
            (
                state.jobs.isDue(at: now) ? state.jobs.takeFinished() : [], state.jobs.takeHandedBack(),
                state.jobs.takeRenewals(at: now)
            )
        }
        // What is done is not done again because a burial failed.
        var left = finished.filter { $0.end == .complete } + finished.filter { $0.end == .deadLetter }
        while !left.isEmpty {
            let next = left[0].end == .deadLetter ? Array(left.prefix(1)) : left.filter { $0.end == .complete }
            do throws(JobStreamError) { try stream.finish(next, as: options.name) } catch {
                state.withLock { $0.jobs.put(back: left, at: now) }
                throw error
            }
            left.removeFirst(next.count)
            next.forEach(report)
        }
        for delivery in back { try stream.handBack(delivery, as: options.name) }
        try stream.renew(renewals, as: options.name)
    }

    private func report(_ job: JobStream.Finished) {
        guard case .success(let found) = job.delivery.job else { return }
        options.report(.finished(job.result, contact: found.contact, deliveries: job.delivery.deliveries))
    }

    // MARK: Drawing

    private func begin(_ delivery: JobStream.Delivery, from photos: SharedPhotos) {
        guard let job = state.withLock({ $0.jobs.begin(delivery, at: .now) }) else { return }
        draw(job, delivery: delivery, photos: photos)
    }

    private func draw(_ job: DrawJob, delivery: JobStream.Delivery, photos: SharedPhotos) {
        let photo: PhotoSource
        do throws(AvatarFailure) { photo = try photos.source(of: job) } catch {
            guard error.code == AvatarFailure.noBlobsCode else {
                return end(delivery.id, of: job, with: .failure(error))
            }
            // All jobs with such photos would fail here, and soon be dead. This worker keeps those it has, and takes no more.
            return state.withLock { state in
                state.withoutPhoto.append(delivery)
                state.nextPhotos = .now + .milliseconds(500)
            }
        }
        let styles = state.withLock { state in
            if let known = state.styles[job.styles] { return known }
            // One or two sets are usual; another program may invent many.
            if state.styles.count >= 32 { state.styles = [:] }
            let made = pipeline.styles(job.styles)
            state.styles[job.styles] = made
            return made
        }
        var request = AvatarRequest(photo, contact: job.contact.isEmpty ? nil : job.contact, styles: styles)
        let isRepeated = delivery.deliveries > 1
        request.omitsBytes = pipeline.options.shared == nil
        request.isNew = true
        // The lock is that of the worker that ended with the job. To wait for its end would leave this worker idle for seconds,
        // in which it may be ended, too, and the photo be taken for the cause.
        request.isLocked = !isRepeated
        pipeline.avatars(request, .wait) { [self] result in
            if case .success(let avatars) = result, !share([Unshared(id: delivery.id, job: job, avatars: avatars)]) {
                options.report(.unshared(contact: job.contact))
                progress.signal()
                return
            }
            end(delivery.id, of: job, with: result)
        }
    }

    /// Whether the shared tier has all of these avatars now. Those that were found in this worker's cache may not be there: a
    /// worker may have ended before it shared them, or Redis have lost them. False: they are kept for `shareAgain`. Blocks for a
    /// moment.
    private func share(_ jobs: [Unshared]) -> Bool {
        guard let tier = pipeline.options.shared else { return true }
        let lacking = jobs.flatMap { $0.avatars.filter { !$0.isInSharedTier } }
        if lacking.isEmpty || tier.share(lacking) { return true }
        state.withLock { state in
            state.unshared += jobs
            state.nextShare = .now + .milliseconds(200)
        }
        return false
    }

    /// No more jobs than the worker has at once, together.
    private func shareAgain() {
        let jobs = state.withLock { state -> [Unshared] in
            guard ContinuousClock.now >= state.nextShare else { return [] }
            defer { state.unshared = [] }
            return state.unshared
        }
        guard !jobs.isEmpty, share(jobs) else { return }
        for job in jobs { end(job.id, of: job.job, with: .success(job.avatars)) }
    }

    /// Tries the jobs again whose photos could not be had. A worker that ends hands them back.
    private func beginAgain(_ photos: SharedPhotos) {
        let deliveries = state.withLock { state -> [JobStream.Delivery] in
            guard .now >= state.nextPhotos || isEnding else { return [] }
            defer { state.withoutPhoto = [] }
            return state.withoutPhoto
        }
        for delivery in deliveries {
            guard case .success(let job) = delivery.job else { continue }
            // One that fails takes the time of a call: the others wait for their next turn.
            let isStillAway = state.withLock { state in
                if !state.withoutPhoto.isEmpty, !isEnding { state.withoutPhoto.append(delivery) }
                return !state.withoutPhoto.isEmpty
            }
            if isEnding { end(delivery.id, of: job, with: .failure(AvatarFailure(JobError.closed))) }
            if !isStillAway, !isEnding { draw(job, delivery: delivery, photos: photos) }
        }
    }

    /// After so many photos in a row that it cannot read, a worker pauses between jobs and leaves them to others: its folders may be
    /// wrong, or not be mounted.
    private static let mostUnread = 8

    private func end(_ id: String, of job: DrawJob, with result: Result<[Avatar], AvatarFailure>) {
        let (ending, report) = Self.outcome(of: job, result: result)
        state.withLock { state in
            state.jobs.end(id, as: ending, with: report, at: .now)
            guard case .failure(let failure) = result, failure.isOfFile else {
                state.unread = 0
                return
            }
            state.unread += 1
            if state.unread >= Self.mostUnread { state.nextJobs = .now + .seconds(1) }
        }
        progress.signal()
    }

    static func outcome(
        of job: DrawJob, result: Result<[Avatar], AvatarFailure>
    ) -> (DeliveryRules.Ending, JobResult) {
        switch result {
        case .success(let avatars):
            let made = avatars.map {
                JobResult.Avatar(
                    key: $0.key.hexadecimal, isDrawn: $0.source == .rendered, milliseconds: $0.milliseconds)
            }
            return (.drawn, JobResult(number: job.number, avatars: made))
        case .failure(let failure):
            let report = JobResult(number: job.number, code: failure.code, message: failure.message)
            let isOver = [JobError.cancelled.code, JobError.closed.code].contains(failure.code)
            if isOver { return (.notBegun, report) }
            let isForNow = failure.retry != .never || failure.isTransient || failure.isOfFile
            return (isForNow ? .failedForNow : .failed, report)
        }
    }
}

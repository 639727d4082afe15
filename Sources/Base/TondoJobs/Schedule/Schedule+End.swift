extension Schedule {
    /// How work ended.
    enum Outcome: Sendable { case done, failed, failedForNow }

    /// Waiters to call back, once, which are removed from the schedule.
    struct Ending: Sendable {
        let job: JobID
        let subscribers: [SubscriberID]
        /// The work still runs and must see that it has no waiters.
        let isRunning: Bool
        /// It was queued for too long, and never started.
        var isOverdue = false
    }

    /// The result of a waiter's cancellation.
    enum UnsubscribeResult: Equatable, Sendable {
        /// The waiter was called back before.
        case late
        /// The job has other waiters.
        case shared(JobID)
        /// The job was queued and is removed.
        case removed(JobID)
        /// The work runs without waiters.
        case unwanted(JobID)
    }

    /// Work ended. Nil: it will be retried.
    mutating func finish(_ job: JobID, with outcome: Outcome, now: UInt64) -> Ending? {
        note(run: now &- jobs[job].started, of: jobs[job].kind, now: now)
        timers.clear(job)
        if jobs[job].phase == .abandoned { pool.recover() }
        if jobs[job].phase == .abandoned || jobs[job].subscribers.isEmpty {
            counters.abandoned -= 1
            jobs.remove(job)
            return Ending(job: job, subscribers: [], isRunning: false)
        }
        counters.running -= 1
        if outcome == .failedForNow, delay(job, now: now) { return nil }
        if outcome == .done { counters.done += 1 } else { counters.failed += 1 }
        return end(job)
    }

    /// False: no attempts or no time is left for a retry.
    private mutating func delay(_ job: JobID, now: UInt64) -> Bool {
        let (plan, attempts) = (jobs[job].plan, jobs[job].attempts)
        guard attempts < plan.attempts else { return false }
        // A shift by 64 would give a factor of 0, and retries without a pause.
        let (doubled, isTooLong) = plan.delay.multipliedReportingOverflow(by: 1 << UInt64(min(attempts - 1, 62)))
        let pause = isTooLong ? plan.longest : min(doubled, plan.longest)
        let (again, isNever) = now.addingReportingOverflow(pause)
        // Waiting for a deadline would only delay the error.
        if isNever || again >= jobs[job].due ?? .max { return false }
        jobs[job].phase = .delayed
        counters.delayed += 1
        timers.set(job, due: again)
        return true
    }

    private mutating func enterAgain(_ job: JobID, now: UInt64) {
        enter(job, now: now)
        if let due = jobs[job].due { timers.set(job, due: due) } else { timers.clear(job) }
    }

    /// Ends a job that has been queued for too long, while more than a few are queued: the estimate for the jobs before
    /// it was wrong. Nil: there is none.
    mutating func refuseOverdue(now: UInt64) -> Ending? {
        guard let wait = rules.wait, !isPaused else { return nil }
        var waiting = 0
        for lane in lanes {
            waiting += lane.reduce(0) { $0 + $1.count }
            guard waiting > rules.minimumBacklog else { continue }
            // A job whose kind has reached its limit hides none of another kind.
            let overdue = lane.compactMap { jobs.first(of: $0) }.first {
                !jobs[$0].ignoresTimeout && now > waitEnd(of: $0, wait)
            }
            guard let overdue else { continue }
            counters.overdue += 1
            stopWaiting(overdue, now: now)
            return end(overdue)
        }
        return nil
    }

    mutating func unsubscribe(_ subscriber: SubscriberID, now: UInt64) -> UnsubscribeResult {
        guard subscribers.contains(subscriber) else { return .late }
        let job = subscribers[subscriber].job
        subscribers.unlink(subscriber, from: &jobs[job].subscribers)
        subscribers.remove(subscriber)
        guard jobs[job].subscribers.isEmpty else { return .shared(job) }
        counters.cancelled += 1
        if jobs[job].phase == .running {
            counters.running -= 1
            counters.abandoned += 1
            return .unwanted(job)
        }
        stopWaiting(job, now: now)
        jobs.remove(job)
        return .removed(job)
    }

    /// Handles the next alarm that is due: a job is queued again (nil), or is out of time. False: none is due.
    mutating func expire(now: UInt64) -> (isDue: Bool, ending: Ending?) {
        guard let job = timers.next(now: now) else { return (false, nil) }
        switch jobs[job].phase {
        case .delayed:
            counters.delayed -= 1
            enterAgain(job, now: now)
            return (true, nil)
        case .queued where jobs[job].attempts == 0:
            // A request that does not mind the wait may have joined meanwhile.
            if jobs[job].ignoresTimeout { return (true, nil) }
            counters.overdue += 1
            leaveLane(job, now: now)
            var ending = end(job)
            ending.isOverdue = true
            return (true, ending)
        case .queued:
            counters.timedOut += 1
            leaveLane(job, now: now)
            return (true, end(job))
        case .running:
            // The waiters get their error now, which is progress, whatever the work does.
            pool.abandon()
            progress = max(progress, now)
            return (true, abandon(job))
        case .abandoned:
            preconditionFailure("time is up only once")
        }
    }

    private mutating func abandon(_ job: JobID) -> Ending {
        let isWanted = !jobs[job].subscribers.isEmpty
        jobs[job].phase = .abandoned
        if isWanted {
            counters.timedOut += 1
            counters.running -= 1
            counters.abandoned += 1
        }
        return Ending(job: job, subscribers: dismissSubscribers(of: job), isRunning: true)
    }

    /// Ends all jobs, since the time of the drain is up. Running work keeps its worker.
    mutating func cancelAll(now: UInt64) -> [Ending] {
        jobs.all.compactMap { job in
            guard !jobs[job].subscribers.isEmpty else { return nil }
            counters.cancelled += 1
            if jobs[job].phase == .running {
                counters.running -= 1
                counters.abandoned += 1
                return Ending(job: job, subscribers: dismissSubscribers(of: job), isRunning: true)
            }
            stopWaiting(job, now: now)
            return end(job)
        }
    }

    private mutating func stopWaiting(_ job: JobID, now: UInt64) {
        if jobs[job].phase == .queued { leaveLane(job, now: now) } else { counters.delayed -= 1 }
        timers.clear(job)
    }

    private mutating func end(_ job: JobID) -> Ending {
        timers.clear(job)
        let dismissed = dismissSubscribers(of: job)
        jobs.remove(job)
        return Ending(job: job, subscribers: dismissed, isRunning: false)
    }

    private mutating func dismissSubscribers(of job: JobID) -> [SubscriberID] {
        let ids = subscribers.ids(of: jobs[job].subscribers)
        jobs[job].subscribers = .init()
        for id in ids { subscribers.remove(id) }
        return ids
    }
}

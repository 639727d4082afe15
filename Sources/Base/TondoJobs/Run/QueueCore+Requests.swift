extension QueueCore {
    func submit(_ request: AnyRequest) -> Result<JobSubscription, JobError> {
        let submission = request.submission
        let id = change { shared, _, now in shared.accept(shared.state.submit(submission, now: now), for: request) }
        return id.map { JobSubscription(core: self, id: $0) }
    }

    func submitWhenRoom(_ request: AnyRequest, admit: @escaping Admit) -> JobWaiter {
        let submission = request.submission
        return change { shared, effects, now in
            let result = shared.state.submitWhenRoom(submission, now: now)
            if case .waits(let waiter) = result {
                shared.waiting[waiter] = (request, admit)
                return JobWaiter(core: self, id: waiter)
            }
            let id = shared.accept(result, for: request)
            effects.admitted.append((admit, id.map { JobSubscription(core: self, id: $0) }))
            return JobWaiter(core: self, id: nil)
        }
    }

    func stopWaiting(_ waiter: State.WaiterID) {
        change { shared, effects, _ in
            guard shared.state.stopWaiting(waiter), let waiting = shared.waiting.removeValue(forKey: waiter) else {
                return
            }
            effects.admitted.append((waiting.admit, .failure(.cancelled)))
            effects.dropped.append(waiting.request)
        }
    }

    func setPaused(_ isPaused: Bool) { change { shared, _, now in shared.state.setPaused(isPaused, now: now) } }

    func raise(_ id: Schedule.SubscriberID, to priority: JobPriority) {
        change { shared, _, now in shared.state.raise(id, to: priority, now: now) }
    }

    func cancel(_ id: Schedule.SubscriberID) {
        change { shared, effects, now in
            let result = shared.state.cancel(id, now: now)
            if result == .late { return }
            if let request = shared.takeSubscriber(id) { effects.failed.append((request, .cancelled)) }
            switch result {
            case .unwanted(let job): shared.works[job.slot]?.markUnwanted()
            case .removed(let job): shared.drop(job, effects: &effects)
            case .late, .shared: break
            }
        }
    }

    func drain(within limit: UInt64, _ drained: @escaping Drained) {
        change { shared, effects, now in
            let (due, isNever) = now.addingReportingOverflow(limit)
            // Retains the queue until then.
            shared.drains.append { isInTime in withExtendedLifetime(self) { drained(isInTime) } }
            for waiter in shared.state.close(due: isNever ? nil : due) {
                guard let (request, admit) = shared.waiting.removeValue(forKey: waiter) else { continue }
                effects.admitted.append((admit, .failure(.closed)))
                effects.dropped.append(request)
            }
        }
    }
}

extension QueueCore {
    func next(for worker: Int, isSearching: Bool) -> (Schedule.JobID, AnyRequest, attempt: Int)? {
        change { shared, effects, now in
            while let ending = shared.state.refuseOverdue(now: now) {
                shared.end(ending, with: .queueFull(depth: shared.state.schedule.waiting), effects: &effects)
            }
            guard let job = shared.state.next(for: worker, isSearching: isSearching, now: now),
                let request = shared.works[job.slot]
            else { return nil }
            return (job, request, shared.state.schedule.jobs[job].attempts)
        }
    }

    /// Returns the requests to call back; none if the work is retried, or has no waiters.
    func finish(_ job: Schedule.JobID, with outcome: Schedule.Outcome) -> [AnyRequest] {
        change { shared, effects, now in
            guard let ending = shared.state.finish(job, with: outcome, now: now) else { return [] }
            shared.drop(job, effects: &effects)
            return shared.take(ending)
        }
    }

    /// Calls back the requests whose time is up.
    func expire() {
        change { shared, effects, now in
            // The timer has fired; `advance` arms it again for what is due later.
            shared.armed = .max
            for ending in shared.state.expire(now: now) {
                let limit = shared.works[ending.job.slot]?.plan.limit ?? 0
                let error =
                    ending.isOverdue
                    ? JobError.queueFull(depth: shared.state.schedule.waiting)
                    : .timedOut(after: .nanoseconds(Int64(clamping: limit)))
                shared.end(ending, with: error, effects: &effects)
            }
            guard let due = shared.state.drainDue, due <= now else { return }
            for ending in shared.state.cancelAll(now: now) { shared.end(ending, with: .cancelled, effects: &effects) }
            shared.endDrain(&effects, isInTime: false)
        }
    }
}

extension QueueCore.Shared {
    /// Stores the data of an admission.
    mutating func accept(
        _ result: QueueCore.State.SubmitResult, for request: AnyRequest
    ) -> Result<Schedule.SubscriberID, JobError> {
        switch result {
        case .added(let job, let subscriber):
            Self.put(request, at: job.slot, in: &works)
            Self.put(request, at: subscriber.slot, in: &subscribers)
            return .success(subscriber)
        case .joined(_, let subscriber):
            Self.put(request, at: subscriber.slot, in: &subscribers)
            return .success(subscriber)
        case .refused(let error): return .failure(error)
        case .waits: preconditionFailure("waits elsewhere")
        }
    }

    private static func put(_ request: AnyRequest, at slot: Int, in requests: inout [AnyRequest?]) {
        if slot < requests.count { requests[slot] = request } else { requests.append(request) }
    }

    mutating func takeSubscriber(_ id: Schedule.SubscriberID) -> AnyRequest? {
        defer { subscribers[id.slot] = nil }
        return subscribers[id.slot]
    }

    /// The waiters of an ended job. Work that still runs sees in its context that it has none.
    mutating func take(_ ending: Schedule.Ending) -> [AnyRequest] {
        if ending.isRunning { works[ending.job.slot]?.markUnwanted() }
        return ending.subscribers.compactMap { takeSubscriber($0) }
    }

    mutating func drop(_ job: Schedule.JobID, effects: inout QueueCore.Effects) {
        if let work = works[job.slot] { effects.dropped.append(work) }
        works[job.slot] = nil
    }

    fileprivate mutating func end(_ ending: Schedule.Ending, with error: JobError, effects: inout QueueCore.Effects) {
        effects.failedLate += take(ending).map { ($0, error) }
        if !ending.isRunning { drop(ending.job, effects: &effects) }
    }
}

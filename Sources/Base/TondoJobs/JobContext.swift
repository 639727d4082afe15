/// The job's state for running work.
package struct JobContext: Sendable {
    let request: AnyRequest
    /// 1 for the first run.
    package let attempt: Int
    /// Before the next attempt, if there will be one.
    package let pause: JobPause

    /// No waiter is left, or the time limit has passed. Long work should check this now and then.
    package var isCancelled: Bool { request.isUnwanted }

    /// Throws if no waiter is left.
    package func check() throws(JobError) {
        if isCancelled { throw .cancelled }
    }
}

/// The pauses between the attempts of one job. Keeps neither the job nor its queue.
package struct JobPause: Sendable {
    weak let core: QueueCore?
    let job: Schedule.JobID

    /// Ends the pause now, because what the job waits for has happened; or leaves the next one out, if an attempt runs that may
    /// not have seen it. Usable from any thread, at any time, and never blocks.
    package func end() { core?.hasten(job) }
}

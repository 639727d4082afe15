/// The job's state for running work.
package struct JobContext: Sendable {
    let request: AnyRequest
    /// 1 for the first run.
    package let attempt: Int

    /// No waiter is left, or the time limit has passed. Long work should check this now and then.
    package var isCancelled: Bool { request.isUnwanted }

    /// Throws if no waiter is left.
    package func check() throws(JobError) {
        if isCancelled { throw .cancelled }
    }
}

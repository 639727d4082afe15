/// What running work is told about its job.
package struct JobContext: Sendable {
    let request: AnyRequest
    /// 1 for the first run.
    package let attempt: Int

    /// Nobody waits for the value any more, or its time is up. Work that takes long looks at this now and then.
    package var isCancelled: Bool { request.isUnwanted }

    /// Leaves work that nobody waits for.
    package func check() throws(JobError) {
        if isCancelled { throw .cancelled }
    }
}

internal import Synchronization

/// A request without its types, so that no generic code runs under the queue's lock: that was five times slower.
///
/// The first request with a key does the work of its job; each request, including that one, gets the result.
class AnyRequest: @unchecked Sendable {
    // Safe because this class and its only subclass hold constants that are Sendable.
    let priority: JobPriority
    let plan: Schedule.Plan
    let kind: Int
    let hash: Int
    private let unwanted = Atomic<Bool>(false)

    init(priority: JobPriority, plan: Schedule.Plan, kind: Int, hash: Int) {
        self.priority = priority
        self.plan = plan
        self.kind = kind
        self.hash = hash
    }

    /// The work has no waiters any more, or is out of time.
    var isUnwanted: Bool { unwanted.load(ordering: .relaxed) }

    func markUnwanted() { unwanted.store(true, ordering: .relaxed) }

    var submission: QueueCore.State.Submission {
        .init(key: RequestKey(request: self), priority: priority, plan: plan, kind: kind)
    }

    func hasKey(of other: AnyRequest) -> Bool { preconditionFailure("has no key") }

    /// Does the job's work, then calls back all of its waiters.
    func run(_ job: Schedule.JobID, attempt: Int, for core: QueueCore) { preconditionFailure("has no work") }

    /// Calls back this request only.
    func fail(_ error: JobError) { preconditionFailure("has no completion") }
}

/// The key of a request without its type. Equal if the keys are.
struct RequestKey: Hashable, Sendable {
    let request: AnyRequest

    static func == (left: RequestKey, right: RequestKey) -> Bool {
        left.request === right.request
            || left.request.hash == right.request.hash && left.request.hasKey(of: right.request)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(request.hash) }
}

final class TypedRequest<Key: Hashable & Sendable, Value: Sendable>: AnyRequest, @unchecked Sendable {
    // Safe because both are constants and Sendable.
    private let request: JobQueue<Key, Value>.Request
    private let completion: JobQueue<Key, Value>.Completion

    init(request: JobQueue<Key, Value>.Request, completion: @escaping JobQueue<Key, Value>.Completion) {
        self.request = request
        self.completion = completion
        let retry = request.retry
        let plan = Schedule.Plan(
            limit: request.limit?.inNanoseconds, attempts: max(retry.attempts, 1), delay: retry.delay.inNanoseconds,
            longest: retry.longest.inNanoseconds)
        // The key is hashed here, outside of the queue's lock.
        super.init(priority: request.priority, plan: plan, kind: request.kind, hash: request.key.hashValue)
    }

    /// A queue holds requests of its own types only, so the other one has the same type.
    private func typed(_ other: AnyRequest) -> TypedRequest { unsafeDowncast(other, to: TypedRequest.self) }

    override func hasKey(of other: AnyRequest) -> Bool { request.key == typed(other).request.key }

    override func run(_ job: Schedule.JobID, attempt: Int, for core: QueueCore) {
        let outcome: Schedule.Outcome
        let result: Result<Value, JobError>
        do {
            result = .success(try request.work(JobContext(request: self, attempt: attempt)))
            outcome = .done
        } catch {
            result = .failure(.failed(error))
            outcome = attempt < plan.attempts && request.retry.isTransient(error) ? .failedForNow : .failed
        }
        for finished in core.finish(job, with: outcome) { typed(finished).completion(result) }
    }

    override func fail(_ error: JobError) { completion(.failure(error)) }
}

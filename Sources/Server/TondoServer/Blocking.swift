internal import TondoJobs

/// Runs blocking work on threads of its own, because blocking would starve the threads of tasks and event loops.
enum Blocking {
    /// For short work.
    static let questions = BlockingThreads(count: 2, label: "tondo.service.questions")
    /// For reading avatars whose key is known. No index and no lock of other programs is needed.
    static let keys = BlockingThreads(count: 4, label: "tondo.service.keys")
    /// For the index of the cache, which other programs may have locked.
    static let index = BlockingThreads(count: 2, label: "tondo.service.index")
    /// For work that may wait for locks of other programs on the file of a book.
    static let changes = BlockingThreads(count: 2, label: "tondo.service.changes")

    static func run<Value: Sendable>(
        on threads: BlockingThreads = questions, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            threads.run { continuation.resume(with: Result { try body() }) }
        }
    }

    static func run<Value: Sendable>(
        on threads: BlockingThreads = questions, _ body: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            threads.run { continuation.resume(returning: body()) }
        }
    }
}

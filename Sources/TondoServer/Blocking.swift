internal import TondoJobs

/// Work that blocks, off the threads that tasks and event loops run on.
enum Blocking {
    /// For what is quick.
    static let questions = BlockingThreads(4, label: "tondo.service.questions")
    /// For what may wait for other programs that hold a book's file.
    static let changes = BlockingThreads(2, label: "tondo.service.changes")

    static func run<Value: Sendable>(
        on threads: BlockingThreads = questions, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            threads.run { continuation.resume(with: Result { try body() }) }
        }
    }

    static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            questions.run { continuation.resume(returning: body()) }
        }
    }
}

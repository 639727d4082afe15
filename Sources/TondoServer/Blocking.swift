internal import TondoJobs

/// Work that blocks, off the threads that tasks and event loops run on.
enum Blocking {
    private static let threads = BlockingThreads(4, label: "tondo.service.blocking")

    static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            threads.run { continuation.resume(with: Result { try body() }) }
        }
    }

    static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            threads.run { continuation.resume(returning: body()) }
        }
    }
}

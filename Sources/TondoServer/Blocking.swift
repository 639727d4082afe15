internal import Dispatch

/// Work that blocks, off the threads that tasks and event loops run on.
enum Blocking {
    private static let queue = DispatchQueue(label: "tondo.service.blocking", attributes: .concurrent)

    static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }

    static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}

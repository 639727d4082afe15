internal import Synchronization

/// Keeps the first of several results. Usable from any thread.
final class OneShot<Value: Sendable>: Sendable {
    private let waiting: Mutex<CheckedContinuation<Value, Never>?>

    init(continuation: CheckedContinuation<Value, Never>) { waiting = Mutex(continuation) }

    func fulfill(_ value: Value) { waiting.withLock { $0.take() }?.resume(returning: value) }
}

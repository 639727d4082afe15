private import Foundation

/// A value behind a lock that ThreadSanitizer knows.
package final class Locked<Value>: @unchecked Sendable {
    // Safe because `value` is accessed only between lock and unlock.
    private let lock = NSLock()
    private var value: Value

    package init(_ value: sending Value) { self.value = value }

    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

package import Dispatch

/// Long enough for a busy machine with one processor; only a failing test waits for so long.
package let testTimeout = DispatchTimeInterval.seconds(300)

/// Holds threads until it is opened.
package final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    package func open() { semaphore.signal() }

    /// False: not opened in time.
    @discardableResult
    package func pass() -> Bool {
        guard semaphore.wait(timeout: .now() + testTimeout) == .success else { return false }
        semaphore.signal()
        return true
    }
}

/// Recorded elements, in their order.
package final class Recorder<Element: Sendable>: Sendable {
    private let elements = Locked<[Element]>([])
    private let count = DispatchSemaphore(value: 0)

    package init() {}

    package var all: [Element] { elements.withLock { $0 } }

    package func add(_ element: Element) {
        elements.withLock { $0.append(element) }
        count.signal()
    }

    /// All elements once there are `number`; fewer if that takes too long. Call it once.
    package func wait(for number: Int) -> [Element] {
        for _ in 0..<number where count.wait(timeout: .now() + testTimeout) == .timedOut { break }
        return all
    }
}

/// Waits until the condition holds; false if it does not within five minutes. Between two looks the thread is free: all tests
/// of a process share as many threads as there are cores, and one that blocks may block what it waits for.
package func eventually(
    isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(300)
    while try await !condition() {
        if ContinuousClock.now > end { return false }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return true
}

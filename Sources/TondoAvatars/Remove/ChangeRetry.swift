internal import Glibc

/// The attempts to change a file of a book that another program is changing or has open for writing.
struct ChangeRetry: Sendable {
    /// Between the attempts. Most programs hold a file open for less than a millisecond. A process that they start
    /// inherits the open file until it executes its own program: on a busy machine, tens of milliseconds later. All
    /// pauses together stay below half a second, since an HTTP client waits for the result.
    private static let pauses = [1, 2, 4, 8, 32, 64, 256]

    /// Blocks for a number of milliseconds; tests let another program work meanwhile.
    var pause: @Sendable (Int) -> Void = { usleep(UInt32($0) * 1000) }

    /// The first result that is not nil; nil if no attempt had one.
    func run<Result, Problem: Error>(_ attempt: () throws(Problem) -> Result?) throws(Problem) -> Result? {
        for milliseconds in Self.pauses {
            if let result = try attempt() { return result }
            pause(milliseconds)
        }
        return try attempt()
    }
}

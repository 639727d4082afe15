internal import Dispatch

/// What a pipeline and its loaders ask of the system. Tests replace parts of it: to move time, and to let any step fail.
package struct PipelineSystem: Sendable {
    /// Calls the closure once, on a Dispatch thread, when this time is over.
    package var after: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void = { delay, body in
        let wait = DispatchTimeInterval.nanoseconds(Int(clamping: delay.components.attoseconds / 1_000_000_000))
        DispatchQueue.global(qos: .utility).asyncAfter(
            deadline: .now() + .seconds(Int(clamping: delay.components.seconds)) + wait, execute: body)
    }
    /// Called before each photo is opened, on the thread that opens it. What it throws is why the photo is not opened.
    package var opening: @Sendable () throws -> Void = {}
    /// Called before each photo is drawn, on the queue's worker. What it throws is why the photo is not drawn.
    package var drawing: @Sendable () throws -> Void = {}
    /// How books are watched.
    var watching: BookWatch.Source = BookWatch.watchFolder

    package init() {}
}

internal import Dispatch
internal import Synchronization
package import SystemPackage
package import TondoImage
package import TondoJobs

/// The system calls of a pipeline and its loaders. Tests replace parts of it: to control time, and to let any step
/// fail.
package struct PipelineEnvironment: Sendable {
    /// Calls the closure once, on a Dispatch thread, after this time.
    package var after: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void = { delay, body in
        let wait = DispatchTimeInterval.nanoseconds(Int(clamping: delay.components.attoseconds / 1_000_000_000))
        DispatchQueue.global(qos: .utility).asyncAfter(
            deadline: .now() + .seconds(Int(clamping: delay.components.seconds)) + wait, execute: body)
    }
    /// Called before each photo is opened, on the thread that opens it. A thrown error becomes the failure of the
    /// photo.
    package var opening: @Sendable () throws -> Void = {}
    /// Called before each photo is drawn, on the queue's worker. A thrown error becomes the failure of the photo.
    package var drawing: @Sendable () throws -> Void = {}
    /// The watcher of books; nil: that of the kernel.
    var watching: BookChangeFeed.Source?
    /// Called where the kernel permits no more watches, so that changes of a book or a folder of photos are looked for instead.
    package var onPolling: @Sendable (FilePath) -> Void = { _ in }

    var bookSource: BookChangeFeed.Source { watching ?? BookChangeFeed.folders(onPolling: onPolling) }

    /// The time from one look whether a watched book is still there to the next, see `BookWatcher.check`.
    package var bookChecks = Duration.seconds(5)

    /// Milliseconds in which the changes of a watched book are merged into one while avatars are drawn.
    var longestMerge = 1_000

    package init() {}
}

/// The durations of the drawing steps. Usable from any thread.
package final class StepTimes: Sendable {
    private let histograms = Mutex<[DrawingStep: LatencyHistogram]>([:])

    /// The steps that were measured.
    package var all: [DrawingStep: LatencyHistogram] { histograms.withLock { $0 } }

    func record(_ step: DrawingStep, time: Duration) {
        histograms.withLock { $0[step, default: LatencyHistogram()].record(time) }
    }
}

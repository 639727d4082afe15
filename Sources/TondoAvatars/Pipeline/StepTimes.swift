internal import Synchronization
package import TondoImage
package import TondoJobs

/// How long the parts of making pictures took. Usable from any thread.
package final class StepTimes: Sendable {
    private let histograms = Mutex<[DrawingStep: LatencyHistogram]>([:])

    /// Those that were taken at all.
    package var all: [DrawingStep: LatencyHistogram] { histograms.withLock { $0 } }

    func record(_ step: DrawingStep, _ time: Duration) {
        histograms.withLock { $0[step, default: LatencyHistogram()].record(time) }
    }
}

internal import Synchronization
package import TondoImage
package import TondoJobs

/// The durations of the drawing steps. Usable from any thread.
package final class StepTimes: Sendable {
    private let histograms = Mutex<[DrawingStep: LatencyHistogram]>([:])

    /// The steps that were measured.
    package var all: [DrawingStep: LatencyHistogram] { histograms.withLock { $0 } }

    func record(_ step: DrawingStep, _ time: Duration) {
        histograms.withLock { $0[step, default: LatencyHistogram()].record(time) }
    }
}

import Synchronization

/// The progress of a verification on standard error. Usable from any thread.
final class VerificationProgress: Sendable {
    private let meter = Mutex<ProgressMeter?>(nil)
    private let style: ProgressMeter.Style?
    private let delay: Duration
    private let start = ContinuousClock.now

    init(_ mode: Convert.ProgressMode) {
        delay = mode == .always ? .zero : ProgressMeter.usualDelay
        style =
            switch mode {
            case .never: nil
            case .always: .bar
            case .auto: Terminal.isInteractive ? .bar : nil
            }
    }

    func show(_ done: Int, of total: Int) {
        guard let style else { return }
        meter.withLock { meter in
            if meter == nil {
                meter = ProgressMeter(total: total, style: style, noun: "entries", start: start, delay: delay)
            }
            meter?.update(done: done, failed: 0)
        }
    }

    func clear() { meter.withLock { $0?.clear() } }
}

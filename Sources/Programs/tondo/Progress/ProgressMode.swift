import ArgumentParser
import Synchronization

/// When progress is shown on standard error.
enum ProgressMode: String, WordArgument, CaseIterable, Sendable {
    case auto, always, never

    /// The time of a task before progress is first shown, so that a short one shows none; nil: it is never shown.
    func delay(isQuiet: Bool = false) -> Duration? {
        switch self {
        case .always: .zero
        case .auto: isQuiet ? nil : ProgressMeter.usualDelay
        case .never: nil
        }
    }

    /// Whether a line may be drawn again and again.
    var canRedraw: Bool { self == .always || Terminal.canRedraw }
}

/// The progress of a verification on standard error. Usable from any thread.
final class VerificationProgress: Sendable {
    private let meter = Mutex<ProgressMeter?>(nil)
    /// Nil: none is shown.
    private let delay: Duration?
    private let start = ContinuousClock.now

    init(_ mode: ProgressMode) { delay = mode.canRedraw ? mode.delay() : nil }

    func show(_ done: Int, of total: Int) {
        guard let delay else { return }
        meter.withLock { meter in
            if meter == nil {
                meter = ProgressMeter(total: total, style: .bar, noun: "entries", start: start, delay: delay)
            }
            meter?.update(done: done, failed: 0)
        }
    }

    func clear() { meter.withLock { $0?.clear() } }
}

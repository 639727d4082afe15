internal import Dispatch

/// One timer that runs only while it is set. Among several times it fires at the earliest, then must be set again.
final class WakeupTimer: @unchecked Sendable {
    // Safe because all state is used on `queue` only.
    private let queue = DispatchQueue(label: "tondo.jobs.alarm")
    private var timer: (any DispatchSourceTimer)?
    private var due = UInt64.max
    private var fire: @Sendable () -> Void = {}

    deinit { timer?.cancel() }

    /// `due`: nanoseconds of the caller's clock, only compared with each other. `wait`: nanoseconds from now.
    func set(due: UInt64, wait: UInt64, fire: @escaping @Sendable () -> Void) {
        let deadline = DispatchTime.now() + .nanoseconds(Int(clamping: wait))
        queue.async {
            // A later time needs no alarm yet: the owner sets it when the earlier one has fired.
            guard due < self.due else { return }
            self.due = due
            self.fire = fire
            if let timer = self.timer { timer.schedule(deadline: deadline) } else { self.start(deadline) }
        }
    }

    private func start(_ deadline: DispatchTime) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [weak self] in
            guard let self else { return }
            due = .max
            fire()
        }
        timer.schedule(deadline: deadline)
        timer.activate()
        self.timer = timer
    }
}

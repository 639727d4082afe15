internal import Dispatch
internal import Synchronization

/// Converts many photos and reports the results in the order of the plan.
package final class ConversionRun: Sendable {
    private let items: [ConversionPlan.Item]
    private let converter: Converter
    /// The index of the next photo. Held while a photo is submitted: two threads that submit would otherwise swap their
    /// photos, and a photo behind one that blocks, such as standard input, would be drawn before it.
    private let next = Mutex(0)
    private let isStopped = Atomic<Bool>(false)

    package init(plan: ConversionPlan, converter: Converter) {
        items = plan.items
        self.converter = converter
    }

    /// Starts no further photo; running ones are finished. May be called from any thread, including a signal's.
    package func stop() {
        isStopped.store(true, ordering: .relaxed)
        converter.stop()
    }

    package var isInterrupted: Bool { isStopped.load(ordering: .relaxed) }

    /// Blocks until all photos are done. `report` is called on one thread at a time, outside every lock, in the plan's
    /// order.
    package func run(report: @escaping @Sendable (ConversionResult) -> Void) {
        let ordered = OrderedReports(report)
        let group = DispatchGroup()
        for _ in 0..<min(converter.window, items.count) {
            // Left when there is no further photo, so that the group is not empty between two photos.
            group.enter()
            Submissions.run { self.submitNext(ordered, in: group, admitted: $0) }
        }
        group.wait()
        ordered.finish()
    }

    /// Submits the photos in the plan's order. False: there is none.
    private func submitNext(
        _ ordered: OrderedReports, in group: DispatchGroup, admitted: @escaping @Sendable () -> Void
    ) -> Bool {
        next.withLock { next in
            guard !isInterrupted, next < items.count else {
                group.leave()
                return false
            }
            let index = next
            next += 1
            group.enter()
            converter.convert(items[index], admitted: admitted) { result in
                ordered.add(result, at: index)
                group.leave()
            }
            return true
        }
    }
}

/// Restores the order of results that arrive in any order. All state is used on one serial queue.
private final class OrderedReports: @unchecked Sendable {
    // Safe because `waiting` and `nextIndex` are used on `queue` only.
    private let queue = DispatchQueue(label: "tondo.convert.reports")
    /// By its place in the plan; nil: it was not started, and is not reported.
    private var waiting: [Int: ConversionResult?] = [:]
    private var nextIndex = 0
    private let report: @Sendable (ConversionResult) -> Void

    init(_ report: @escaping @Sendable (ConversionResult) -> Void) { self.report = report }

    func add(_ result: ConversionResult?, at index: Int) {
        queue.async {
            self.waiting.updateValue(result, forKey: index)
            while let ready = self.waiting.removeValue(forKey: self.nextIndex) {
                self.nextIndex += 1
                if let ready { self.report(ready) }
            }
        }
    }

    /// Returns once all results are reported.
    func finish() { queue.sync {} }
}

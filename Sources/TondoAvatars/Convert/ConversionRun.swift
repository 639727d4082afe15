internal import Dispatch
internal import Synchronization

/// Converts many photos on a bounded number of Dispatch threads and reports the results in the order of the plan.
package final class ConversionRun: Sendable {
    private let items: [ConversionPlan.Item]
    private let converter: Converter
    private let next = Atomic<Int>(0)
    private let isStopped = Atomic<Bool>(false)

    package init(_ plan: ConversionPlan, converter: Converter) {
        items = plan.items
        self.converter = converter
    }

    /// Starts no further photo; running ones are finished. May be called from any thread, including a signal's.
    package func stop() { isStopped.store(true, ordering: .relaxed) }

    package var isInterrupted: Bool { isStopped.load(ordering: .relaxed) }

    /// Blocks until all photos are done. `report` is called on one thread at a time, outside every lock, in the plan's
    /// order.
    package func run(jobs: Int, report: @escaping @Sendable (ConversionResult) -> Void) {
        let workers = DispatchQueue(label: "tondo.convert", attributes: .concurrent)
        let ordered = OrderedReports(report)
        let group = DispatchGroup()
        for _ in 0..<min(jobs, items.count) {
            workers.async(group: group) { self.work(ordered) }
        }
        group.wait()
        ordered.finish()
    }

    private func work(_ ordered: OrderedReports) {
        while !isInterrupted {
            let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
            guard index < items.count else { return }
            ordered.add(converter.convert(items[index]), at: index)
        }
    }
}

/// Restores the order of results that arrive in any order. All state is used on one serial queue.
private final class OrderedReports: @unchecked Sendable {
    // Safe because `waiting` and `nextIndex` are used on `queue` only.
    private let queue = DispatchQueue(label: "tondo.convert.reports")
    private var waiting: [Int: ConversionResult] = [:]
    private var nextIndex = 0
    private let report: @Sendable (ConversionResult) -> Void

    init(_ report: @escaping @Sendable (ConversionResult) -> Void) { self.report = report }

    func add(_ result: ConversionResult, at index: Int) {
        queue.async {
            self.waiting[index] = result
            while let ready = self.waiting.removeValue(forKey: self.nextIndex) {
                self.nextIndex += 1
                self.report(ready)
            }
        }
    }

    /// Returns once all results are reported.
    func finish() { queue.sync {} }
}

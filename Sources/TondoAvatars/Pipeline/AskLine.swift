internal import Dispatch
internal import Synchronization

/// Work for those who wait for an answer, on a few Dispatch threads, first come, first served: equal questions that wait
/// together are worked on once, and a line that is too long takes no more. Usable from any thread; blocks none.
final class AskLine<Question: Hashable & Sendable, Answer: Sendable>: Sendable {
    /// Who asked.
    struct Asker: Sendable {
        /// Told when the answer takes a while; maybe after `answer`.
        var patience: (@Sendable () -> Void)?
        var answer: @Sendable (Answer) -> Void
    }

    /// Answers all who asked; may block, and may answer later.
    typealias Work = @Sendable (Asker) -> Void

    private struct Entry {
        var work: Work
        var askers: [Asker]
    }

    private struct State {
        var order: [Question] = []
        var entries: [Question: Entry] = [:]
        /// Threads that have nothing to do.
        var idle: [DispatchQueue]
        var counters = Counters()
    }

    struct Counters: Equatable {
        /// Questions that joined an equal one.
        var joined = 0
        /// Those that found the line full.
        var refused = 0
    }

    private let state: Mutex<State>
    private let depth: Int

    /// `width`: threads that work. `depth`: questions that wait.
    init(width: Int, depth: Int) {
        self.depth = depth
        // Serial queues have threads of their own: work that blocks takes none from the rest of the process.
        state = Mutex(State(idle: (0..<max(width, 1)).map { DispatchQueue(label: "tondo.ask.\($0)") }))
    }

    /// False: the line is full, and nobody will be answered.
    func ask(_ question: Question, _ asker: Asker, work: @escaping Work) -> Bool {
        let (isTaken, thread) = state.withLock { state -> (Bool, DispatchQueue?) in
            if state.entries[question] != nil {
                state.entries[question]?.askers.append(asker)
                state.counters.joined += 1
                return (true, nil)
            }
            guard state.order.count < depth else {
                state.counters.refused += 1
                return (false, nil)
            }
            state.order.append(question)
            state.entries[question] = Entry(work: work, askers: [asker])
            return (true, state.idle.popLast())
        }
        thread?.async { self.run(on: thread) }
        return isTaken
    }

    var counters: Counters { state.withLock { $0.counters } }

    private func run(on thread: DispatchQueue?) {
        while let entry = next(for: thread) {
            let askers = entry.askers
            entry.work(
                Asker {
                    for asker in askers { asker.patience?() }
                } answer: { answer in
                    for asker in askers { asker.answer(answer) }
                })
        }
    }

    private func next(for thread: DispatchQueue?) -> Entry? {
        state.withLock { state in
            guard !state.order.isEmpty else {
                if let thread { state.idle.append(thread) }
                return nil
            }
            return state.entries.removeValue(forKey: state.order.removeFirst())
        }
    }
}

import Dispatch
import Glibc
import Synchronization
import SystemPackage
import TondoCache
import TondoContacts
import TondoFiles
import TondoImage
import TondoJobs
import TondoTestSupport

@testable import TondoAvatars

/// One load of a book that changes, with one worker, a queue for one job, and steps that fail at random, while others ask
/// for avatars at once. The same seed makes the same choices; threads may still meet differently.
final class ChaosRun: Sendable {
    /// What went wrong; nil: nothing.
    static func problem(of seed: UInt64, keys: ChaosKeys) -> String? {
        do { return try ChaosRun(seed, keys).run() } catch { return "\(error)" }
    }

    private struct State {
        var random: SplitMix64
        var book: ChaosBook
        var log = ChaosLog()
        /// Changes of the book that are still to come.
        var changes: Int
        var requested = 0
        var responded = 0
        var isComplete = false
        var isCancelled = false
        /// The loader is ended. What comes until it has ended is checked, but nothing more is owed: a photo that is tried once more may
        /// fail then, and its avatar never comes.
        var isOver = false
        /// The watcher ended, and the book is not watched again yet.
        var isEnding = false
        /// Loads that could not begin, as the watcher failed.
        var failures = 0
    }

    private let seed: UInt64
    private let keys: ChaosKeys
    private let isWatching: Bool
    /// Changes stop somewhere in the middle.
    private let isShort: Bool
    private let faults: ChaosFaults
    private let watch = ManualWatch()
    private let cache: AvatarCache
    private let pipeline: AvatarPipeline
    private let loader: ContactLoader
    private let styles: StyleSet
    private let state: Mutex<State>
    private let ended = DispatchSemaphore(value: 0)

    private init(_ seed: UInt64, _ keys: ChaosKeys) throws {
        (self.seed, self.keys) = (seed, keys)
        var random = SplitMix64(seed)
        isWatching = UInt8.random(in: 0..<4, using: &random) > 0
        isShort = isWatching && UInt8.random(in: 0..<8, using: &random) == 0
        let faults = ChaosFaults(&random)
        self.faults = faults
        let folder = try SmallBook { $0.fault = faults.cache }
        cache = folder.cache
        var options = AvatarPipeline.Options()
        (options.queue.workers, options.queue.spares) = (1, 0)
        (options.queue.depth, options.queue.room, options.openDepth) = (1, 1, 4)
        // As fast as it goes, but so that what is tried for long leaves the processor to others.
        options.system.after = { delay, body in
            let wait = delay < .seconds(1) ? DispatchTimeInterval.microseconds(200) : .milliseconds(2)
            DispatchQueue.global().asyncAfter(deadline: .now() + wait, execute: body)
        }
        options.system.opening = { try faults.open() }
        options.system.drawing = { try faults.draw() }
        options.system.watching = { [watch] in
            try faults.watch()
            return try watch.source($0, $1)
        }
        pipeline = AvatarPipeline(cache: UInt8.random(in: 0..<8, using: &random) == 0 ? nil : cache, options)
        let book = try ChaosBook(folder, &random)
        styles = pipeline.styles([ChaosBook.style])
        loader = ContactLoader(
            book.path, styles: [AvatarStyle(ChaosBook.style)], pipeline: pipeline, isWatching: isWatching)
        let changes = isWatching ? Int.random(in: 0...5, using: &random) : 0
        state = Mutex(State(random: random, book: book, changes: changes))
    }

    /// Longer than any run takes on a busy machine.
    private static let deadline = DispatchTimeInterval.seconds(300)

    private func run() throws -> String? {
        // A book that is watched again may be unchanged, so that no event follows.
        watch.whenAdded { [weak self] in self.map { run in DispatchQueue.global().async { run.goOn() } } }
        load()
        guard ended.wait(timeout: .now() + Self.deadline) == .success else { return report("it hangs") }
        loader.cancel()
        // Every waiter is called back, also after the end.
        let limit = ContinuousClock.now + .seconds(300)
        while state.withLock({ $0.responded < $0.requested }) {
            if ContinuousClock.now > limit { return report("somebody is not answered") }
            usleep(200)
        }
        cache.close()
        let (problems, isComplete) = state.withLock { ($0.log.problems, $0.isComplete || $0.isCancelled) }
        if let problem = problems.first { return report(problem) }
        return isComplete ? nil : report("it ended before everything was reported")
    }

    private func report(_ problem: String) -> String {
        state.withLock { state in
            let expected = state.book.keys(keys).map { "\($0.key)=\($0.value.prefix(4))" }.sorted()
            return """
                seed \(seed): \(problem) \(state.log.problems); book \(expected), \
                asked \(state.requested) answered \(state.responded), \
                \(pipeline.counters.queued) queued \(pipeline.counters.running) running
                \(state.log.texts.joined(separator: "\n"))
                """
        }
    }

    private func load() {
        let number = state.withLock { $0.failures }
        loader.load { recorded in
            if let recorded { return self.take(recorded.event, recorded.number) }
            // One that could not begin is ended by the next.
            if self.state.withLock({ $0.failures }) == number { self.ended.signal() }
        } note: { note in
            self.state.withLock { $0.log.take(note) }
        } failed: { _ in
            // The service tries again, too.
            self.state.withLock { $0.failures += 1 }
            self.load()
        }
    }

    /// On the thread of the events: what happens next depends on how many there were.
    private func take(_ event: LoaderEvent, _ number: UInt64) {
        carryOut(
            state.withLock { state in
                state.log.take(event, number)
                return step(&state)
            })
    }

    /// After the book's watcher ended and began again.
    private func goOn() {
        let next = state.withLock { state -> Step? in
            guard state.isEnding else { return nil }
            state.isEnding = false
            return step(&state)
        }
        if let next { carryOut(next) }
    }

    private func carryOut(_ next: Step) {
        if let shown = next.shown { loader.show(shown) }
        if let contact = next.requested { request(contact) }
        for change in next.changes { watch.send(change) }
        if next.isLast { loader.cancel() }
    }

    private struct Step {
        var changes: [BookChangeFeed.Change] = []
        var requested: Contact?
        var shown: [String]?
        var isLast = false
    }

    private func step(_ state: inout State) -> Step {
        var step = Step()
        if state.isOver { return step }
        let isEarly = UInt8.random(in: 0..<6, using: &state.random) == 0
        update(&state)
        // What changes nothing is followed by no event, so that the next change comes at once.
        while state.changes > 0, isWatching && state.isComplete || isEarly && step.changes.isEmpty {
            state.changes -= 1
            if !state.log.isFinished { state.log.isChanging = true }
            step.changes.append(change(&state))
            update(&state)
        }
        let ids = state.log.contacts.keys.sorted()
        if UInt8.random(in: 0..<3, using: &state.random) == 0, let id = ids.randomElement(using: &state.random) {
            step.requested = state.log.contacts[id]
            state.requested += 1
        }
        if UInt8.random(in: 0..<8, using: &state.random) == 0 { step.shown = Array(ids.suffix(2)) }
        if isShort, UInt8.random(in: 0..<8, using: &state.random) == 0 { state.isCancelled = true }
        step.isLast = state.isCancelled || isWatching && state.isComplete
        state.isOver = step.isLast
        return step
    }

    /// Whether everything has been reported. Without watching, photos that failed too often in a row are left at the
    /// placeholder.
    private func update(_ state: inout State) {
        state.isComplete =
            isWatching
            ? !state.isEnding && state.log.isComplete(on: state.book.keys(keys), order: state.book.order)
            : state.log.isFinished
    }

    private func change(_ state: inout State) -> BookChangeFeed.Change {
        switch UInt8.random(in: 0..<10, using: &state.random) {
        case 0: return .everything
        case 1 where !state.book.people.isEmpty:
            state.isEnding = true
            return .ended
        case 2:
            cache.flush()
            return .files([])
        default: return (try? state.book.change(&state.random)).map { .files($0) } ?? .everything
        }
    }

    private func request(_ contact: Contact) {
        let hasResponded = Atomic<Bool>(false)
        loader.avatars(of: contact, styles: styles) { result in
            let isFirst = !hasResponded.exchange(true, ordering: .relaxed)
            self.state.withLock { state in
                state.responded += isFirst ? 1 : 1_000
            }
        }
    }
}

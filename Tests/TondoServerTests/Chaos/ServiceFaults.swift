import Synchronization
import SystemPackage
import TondoCache
import TondoFiles
import TondoTestSupport

@testable import TondoAvatars

/// The same choices in every run.
struct Choices {
    private var numbers: SplitMix64

    init(_ seed: UInt64) { numbers = SplitMix64(seed) }

    mutating func next() -> UInt64 { numbers.next() }

    /// From 0 up to `limit`, without it.
    mutating func number(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}

/// Lets any step fail at random, a limited number of times in all. Every failure passes, so that the end of a run does not
/// depend on them.
final class ServiceFaults: Sendable {
    private let state: Mutex<(choices: Choices, left: Int, chance: Int)>

    /// `chance`: of 256.
    init(_ seed: UInt64, left: Int, chance: Int) { state = Mutex((Choices(seed), left, chance)) }

    private func strikes() -> Bool {
        state.withLock { state in
            guard state.left > 0, state.choices.number(256) < state.chance else { return false }
            state.left -= 1
            return true
        }
    }

    func open() throws { if strikes() { throw FileError(.read, path: "photo", errno: .tooManyOpenFiles) } }

    func draw() throws { if strikes() { throw AvatarFailure.changed } }

    func watch() throws { if strikes() { throw Errno.tooManyOpenFiles } }

    func cache(_ step: AvatarCache.Step) -> CacheError? {
        if !strikes() { return nil }
        return switch step {
        case .store: .full("cache")
        case .index: .system("cache", .ioError)
        }
    }
}

/// A watcher that reports what a test says.
final class ReportedChanges: Sendable {
    private let reports = Mutex<[Int: @Sendable (BookChangeFeed.Change) -> Void]>([:])

    func source(_ faults: ServiceFaults) -> BookChangeFeed.Source {
        { [self] _, report in
            try faults.watch()
            let number = reports.withLock { reports in
                let number = (reports.keys.max() ?? 0) + 1
                reports[number] = report
                return number
            }
            return BookChangeFeed.Watch { [self] in reports.withLock { $0[number] = nil } }
        }
    }

    func report(_ change: BookChangeFeed.Change) {
        for report in reports.withLock({ Array($0.values) }) { report(change) }
    }
}

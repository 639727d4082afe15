import Synchronization
import SystemPackage
import TondoCache
import TondoContacts
import TondoFiles
import TondoTestSupport

@testable import TondoAvatars

/// Lets any step fail at random, a limited number of times in all. Every failure is one that passes: what has to come of
/// a run does not depend on them. Usable from any thread.
final class ChaosFaults: Sendable {
    private struct State {
        var random: SplitMix64
        var left: Int
        /// Of 256.
        let chance: UInt8
    }

    private let state: Mutex<State>

    init(_ random: inout SplitMix64) {
        let left = Int.random(in: 0...7, using: &random)
        let chance = UInt8.random(in: 8...200, using: &random)
        state = Mutex(State(random: SplitMix64(random.next()), left: left, chance: chance))
    }

    /// Nil: the step is done.
    private func roll<Failure: Sendable>(_ failures: [Failure]) -> Failure? {
        state.withLock { state in
            guard state.left > 0, UInt8.random(in: 0...255, using: &state.random) < state.chance else { return nil }
            state.left -= 1
            return failures.randomElement(using: &state.random)
        }
    }

    func open() throws {
        let failures: [any Error] = [
            FileError(.read, path: "photo", errno: .tooManyOpenFiles),
            FileError(.read, path: "photo", errno: .noMemory),
            PhotoProblem.book(.photoChanged), PhotoProblem.book(.unreadable(.tooManyOpenFilesInSystem)),
            PhotoProblem.book(.unreadable(.noSuchFileOrDirectory)),
        ]
        if let failure = roll(failures) { throw failure }
    }

    func draw() throws {
        if let failure = roll([
            AvatarFailure.changed, AvatarFailure(FileError(.read, path: "photo", errno: .tooManyOpenFiles)),
        ]) {
            throw failure
        }
    }

    func watch() throws {
        if let failure = roll([Errno.tooManyOpenFiles]) { throw failure }
    }

    func cache(_ step: AvatarCache.Step) -> CacheError? {
        switch step {
        case .store: roll([CacheError.system("cache", .ioError), .full("cache"), .readOnly("cache")])
        case .index: roll([CacheError.system("cache", .ioError)])
        }
    }
}

import FoundationEssentials
import SystemPackage
import TondoCache

/// Processes that share one cache and are killed and started again all the time. Blocks its thread; what is killed when
/// depends on the seed, as far as the scheduler lets it.
final class Swarm {
    enum Problem: Error {
        /// A process reported what must never happen.
        case reported(Event)
        /// A process ended by itself: its number and the status of `waitpid`.
        case ended(process: Int, status: Int32)
        /// Found while all were stopped.
        case found([String])
    }

    /// Four writers, a pruner and a reader.
    static let usual: [Role] = [.writer, .writer, .writer, .writer, .pruner, .reader]
    /// Writers keep to a size that may cost lower numbers their place.
    static let firstLasting = NumberedImage.count / 3
    /// Kills between two looks at everything, a process at rest each.
    private static let stretch = 125

    private(set) var kills = 0
    private(set) var checks = 0
    private(set) var reported: [Event.Kind: Int] = [:]
    private(set) var ledger = Ledger(firstLasting: firstLasting)

    let folder: FilePath
    private let program: String
    private let roles: [Role]
    private let pipe = EventPipe()
    private var processes: [ChildProcess?]
    private var chance: Chance

    /// `program`: the path of this program.
    init(_ folder: FilePath, program: String, roles: [Role] = usual, seed: UInt64) {
        (self.folder, self.program, self.roles) = (folder, program, roles)
        processes = Array(repeating: nil, count: roles.count)
        chance = Chance(seed: seed)
    }

    deinit { for process in processes { try? process?.kill() } }

    /// Kills so many, and looks at everything now and then and at the end.
    ///
    /// - Parameters:
    ///   - goal: kills in all.
    ///   - meddle: called after each kill, with a source of chance.
    ///   - isIndexSafe: false when `meddle` damages the index, so that rows may be wrong before they are mended.
    ///   - progress: called after each look at everything.
    func run(
        untilKills goal: Int, isIndexSafe: Bool = true, meddle: (inout Chance) throws -> Void = { _ in },
        progress: () -> Void = {}
    ) throws {
        while kills < goal {
            for number in processes.indices { try start(number) }
            let end = min(kills + Self.stretch, goal) - processes.count
            while kills < end {
                try work(steps: 1 + chance.number(below: 10))
                let victim = chance.number(below: processes.count)
                try kill(victim)
                try meddle(&chance)
                try start(victim)
            }
            for number in processes.indices { try kill(number) }
            try check(isIndexSafe: isIndexSafe)
            progress()
        }
    }

    /// Until the processes together have reported this many steps.
    private func work(steps: Int) throws {
        var left = steps
        while left > 0 {
            let events = try pipe.next()
            try note(events)
            left -= events.count
        }
    }

    private func note(_ events: [Event]) throws {
        for event in events {
            reported[event.kind, default: 0] += 1
            ledger.note(event)
            if event.kind.isWrong { throw Problem.reported(event) }
        }
    }

    private func start(_ number: Int) throws {
        let words = [roles[number].rawValue, folder.string, String(number), String(chance.next())]
        processes[number] = try ChildProcess([program] + words, output: pipe.input)
    }

    private func kill(_ number: Int) throws {
        defer { processes[number] = nil }
        do { try processes[number]?.kill() } catch {
            try note(pipe.available())
            throw error
        }
        kills += 1
        try note(pipe.available())
        ledger.noteDeath(of: number)
    }

    private func check(isIndexSafe: Bool) throws {
        checks += 1
        let problems = try Inspection(folder, ledger, isIndexSafe: isIndexSafe).problems()
        if !problems.isEmpty { throw Problem.found(problems) }
    }
}

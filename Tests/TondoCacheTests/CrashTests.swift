import Foundation
import SystemPackage
import Testing

@testable import CacheCrasher
@testable import TondoCache

/// Processes are killed at random while they share a cache. `make soak` does the same for longer.
@Suite(.serialized) struct CrashTests {
    @Test func nothingIsLostOrTornWhenProcessesAreKilled() throws {
        let folder = try TemporaryCache(inMemory: true)
        let swarm = Swarm(folder.path, program: try CacheCrasher.program, seed: 1)
        try swarm.run(untilKills: 500)
        #expect(swarm.kills >= 500)
        #expect(swarm.reported[.healed, default: 0] == 0)
        #expect(swarm.reported[.stored, default: 0] > 100 && swarm.reported[.read, default: 0] > 100)
        #expect(swarm.reported[.removed, default: 0] > 10)
    }

    @Test func nothingIsLostWhenTheIndexIsRemovedOrDamagedMeanwhile() throws {
        let folder = try TemporaryCache()
        let roles: [Role] = [.writer, .writer, .remover, .reader]
        let swarm = Swarm(folder.path, program: try CacheCrasher.program, roles: roles, seed: 2)
        let index = folder.url("index.sqlite").path
        try swarm.run(untilKills: 60, isIndexSafe: false) { chance in
            if chance.once(in: 2) { unlink(index) } else { Self.damage(index, &chance) }
        }
        #expect(swarm.reported[.rebuilt, default: 0] + swarm.reported[.healed, default: 0] > 0)
        #expect(swarm.reported[.stored, default: 0] > 20)
    }

    /// Writes something else in the middle of a file, or cuts it off.
    private static func damage(_ path: String, _ chance: inout Chance) {
        guard let file = try? FileDescriptor.open(path, .writeOnly) else { return }
        defer { try? file.close() }
        let size = Int((try? file.seek(offset: 0, from: .end)) ?? 0)
        let place = chance.number(below: max(size, 1))
        if chance.once(in: 2) {
            _ = ftruncate(file.rawValue, off_t(place))
        } else {
            let bytes = (0..<64).map { _ in UInt8(truncatingIfNeeded: chance.number(below: 256)) }
            _ = try? file.writeAll(toAbsoluteOffset: Int64(place), bytes)
        }
    }
}

/// A process is killed right before one of its calls that change files, any of them, where `strace` is there to do so.
@Suite(.enabled(if: KillPoint.isPossible, "needs strace, and leave to trace")) struct KillPointTests {
    private let folder: TemporaryCache
    private var ledger = Ledger(firstLasting: Swarm.firstLasting)
    private var chance = Chance(seed: 3)

    init() throws { folder = try TemporaryCache(inMemory: true) }

    @Test(arguments: [Role.writer, .pruner, .remover])
    mutating func nothingIsLostOrTornWhereverAProcessIsKilled(_ role: Role) throws {
        for _ in 0..<6 {
            try kill(role, at: KillPoint(calls: KillPoint.changing, number: 1 + chance.number(below: 120)))
            try inspect()
        }
    }

    @Test mutating func nothingIsLostWhereverMakingAnIndexEnds() throws {
        _ = try folder.open()
        for number in 1...6 {
            // Before its second picture gets its name, when the first one's row is in SQLite's journal.
            try kill(.rebuilder, at: KillPoint(calls: "renameat", number: 3))
            try kill(.rebuilder, at: KillPoint(calls: KillPoint.naming, number: number))
            try inspect()
        }
    }

    @Test mutating func whatEverybodyNeedsIsFsyncedBeforeItGetsItsName() throws {
        let log = folder.path.removingLastComponent().appending("calls").string
        try kill(.rebuilder, at: KillPoint(calls: "fsync,renameat", number: 12), log: log)
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        for name in ["CACHEDIR.TAG", "VERSION", "index.sqlite"] {
            let place = try #require(lines.firstIndex { $0.contains("renameat(") && $0.contains("\"\(name)\"") })
            #expect(place > 0 && lines[place - 1].contains("fsync("))
        }
    }

    private mutating func kill(_ role: Role, at point: KillPoint, log: String = "/dev/null") throws {
        try point.run(role, on: folder.path, seed: chance.next(), &ledger, log: log)
    }

    private func inspect() throws {
        #expect(try Inspection(folder.path, ledger, isIndexSafe: true).problems() == [])
    }
}

/// Kills a process at its n-th call of some system calls.
private struct KillPoint {
    static let naming = "renameat,unlink,unlinkat"
    static let changing = naming + ",write,pwrite64,ftruncate,fsync,fdatasync"
    private static let strace = "/usr/bin/strace"

    let calls: String
    let number: Int

    static let isPossible = (try? run(["/bin/true"])).map { $0 == 0 } ?? false

    /// `log`: where the calls are listed.
    func run(_ role: Role, on folder: FilePath, seed: UInt64, _ ledger: inout Ledger, log: String) throws {
        let pipe = EventPipe()
        let command = [
            Self.strace, "-f", "-qqq", "-o", log, "-e", "trace=\(calls)", "-e",
            "inject=\(calls):signal=KILL:when=\(number)",
            try CacheCrasher.program, role.rawValue, folder.string, "0", String(seed),
        ]
        let status = try ChildProcess(command, output: pipe.input).wait()
        #expect(status & 0x7F == SIGKILL)
        for event in pipe.available() {
            #expect(!event.kind.isWrong)
            ledger.note(event)
        }
        ledger.noteDeath(of: 0)
    }

    private static func run(_ command: [String]) throws -> Int32 {
        try ChildProcess([strace, "-qqq", "-o", "/dev/null"] + command, output: STDERR_FILENO).wait()
    }
}

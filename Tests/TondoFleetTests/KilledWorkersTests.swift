import Foundation
import Glibc
import Synchronization
import Testing
import TondoAvatars
import TondoRedis
import TondoTestSupport

@testable import TondoFleet

/// Processes of `tondo worker` that are killed at random. `TONDO_KILLED_WORKERS_JOBS=10000` for a long run.
@Suite(.blocking) struct KilledWorkersTests {
    private let fleet: TestFleet
    private var count: Int {
        ProcessInfo.processInfo.environment["TONDO_KILLED_WORKERS_JOBS"].flatMap { Int($0) } ?? 1_000
    }

    init() throws { fleet = try TestFleet() }

    private func start(_ number: Int, _ words: String...) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: try BuiltProgram.path("tondo"))
        process.arguments =
            [
                "worker", fleet.folder.pathString + "/book", "--config", "/dev/null", "--jobs", "1", "--claim-after",
                "10",
            ]
            + words
        process.environment = [
            "TONDO_SHARED_STREAMS": "unix:\(fleet.server.socket)",
            "TONDO_SHARED_AVATARS": "unix:\(fleet.server.socket)",
            "TONDO_CACHE_DIR": fleet.folder.pathString + "/cache-\(number)", "PATH": "/usr/bin:/bin",
        ]
        (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// How often each avatar is stored in the shared tier: once for each drawing. Counts until the process is ended.
    private func countStores() throws -> (process: Process, stores: @Sendable () -> [String: Int]) {
        try fleet.server.cli("CONFIG", "SET", "notify-keyspace-events", "K$")
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/redis-cli")
        process.arguments = ["-s", fleet.server.socket, "PSUBSCRIBE", "__keyspace@0__:tondo:1:avatar:*"]
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let lines = Mutex<[Substring]>([])
        Thread.detachNewThread {
            var rest = ""
            while case let data = output.fileHandleForReading.availableData, !data.isEmpty {
                rest += String(decoding: data, as: UTF8.self)
                let parts = rest.split(separator: "\n", omittingEmptySubsequences: false)
                lines.withLock { $0 += parts.dropLast() }
                rest = String(parts[parts.count - 1])
            }
        }
        // Three lines confirm the subscription; each message has four: its kind, the pattern, the channel, the event.
        #expect(TestFleet.wait { lines.withLock { $0.count >= 3 } })
        return (
            process,
            {
                let messages = lines.withLock { Array($0.dropFirst(3)) }
                var counts: [String: Int] = [:]
                for start in stride(from: 0, to: messages.count - 3, by: 4) where messages[start + 3] == "set" {
                    counts[String(messages[start + 2]), default: 0] += 1
                }
                return counts
            }
        )
    }

    @Test func `Each avatar is there and drawn at most twice, and no job is lost`() throws {
        let stream = fleet.stream()
        let paths = try fleet.photos(count)
        let (counter, stores) = try countStores()
        defer { counter.terminate() }
        _ = try stream.publish(paths.enumerated().map { TestFleet.job($0.element, number: $0.offset) })
        var random = SplitMix64(7)
        var (workers, results, kills) = (try (0..<2).map { try start($0) }, [Int: JobResult](), 0)
        defer { for worker in workers { kill(worker.processIdentifier, SIGKILL) } }
        var nextKill = 20
        let end = ContinuousClock.now + .seconds(max(600, count / 5))
        while results.count < count, ContinuousClock.now < end {
            for result in try stream.results(of: "run", count: 1_000) { results[result.number] = result }
            usleep(10_000)
            // Work goes on between two kills: a job that three workers were killed with is a dead one.
            guard results.count >= nextKill else { continue }
            let victim = Int.random(in: 0..<2, using: &random)
            kill(workers[victim].processIdentifier, SIGKILL)
            workers[victim].waitUntilExit()
            workers[victim] = try start(victim)
            kills += 1
            nextKill = results.count + Int.random(in: 60..<160, using: &random)
        }
        #expect(kills > 0)
        #expect(results.count == count && results.values.allSatisfy { $0.code == nil && $0.avatars.count == 1 })
        let keys = Set(results.values.flatMap { $0.avatars.map(\.key) })
        #expect(keys.count == count)
        #expect(TestFleet.wait { stores().count == count })
        #expect(stores().values.allSatisfy { $0 <= 2 })
        #expect(try stream.counts().jobs == 0 && stream.counts().dead == 0)
    }

    @Test func `A worker ends with status 0 after SIGTERM, and leaves no job behind`() throws {
        let stream = fleet.stream()
        let paths = try fleet.photos(200)
        _ = try stream.publish(paths.enumerated().map { TestFleet.job($0.element, number: $0.offset) })
        let worker = try start(0)
        #expect(try TestFleet.wait { try stream.length() < 190 })
        worker.terminate()
        worker.waitUntilExit()
        #expect(worker.terminationStatus == 0)
        #expect(try stream.counts().pending == 0 && stream.counts().workers == 0)
    }
}

import Foundation
import Synchronization
import Testing
import TondoImage
import TondoTestSupport

@testable import TondoRender

/// Workers that another process ends at any moment. `TONDO_WORKER_KILLS`: how many; 10,000 take some minutes.
@Suite struct WorkerKillTests {
    private static let kills = ProcessInfo.processInfo.environment["TONDO_WORKER_KILLS"].flatMap { Int($0) } ?? 60

    /// A photo whose workers were killed three times in a row may fail; then it is drawn again.
    @Test func `Every avatar is correct however often workers are killed`() throws {
        let folder = try TemporaryFolder()
        let victim = folder.pathString + "/tondo-victim"
        try FileManager.default.createSymbolicLink(
            atPath: victim, withDestinationPath: try BuiltProgram.path("tondo-render"))
        let workers = try Workers { $0.program = victim }
        let photos = try [Repository.small, Repository.smallPNG, Repository.sample, Repository.truncated].map {
            try [UInt8](Repository.data($0))
        }
        let expected = photos.map(workers.expected)
        let killed = Atomic<Int>(0)
        let drawn = Atomic<Int>(0)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            var random = SplitMix64(UInt64(thread))
            while killed.load(ordering: .relaxed) < Self.kills {
                if thread == 0 {
                    usleep(UInt32.random(in: 0..<3_000, using: &random))
                    if Self.killOne(&random) { killed.add(1, ordering: .relaxed) }
                    continue
                }
                let index = Int.random(in: 0..<photos.count, using: &random)
                var drawing = workers.draw(photos[index])
                while case .decoderCrashed = drawing.error?.error { drawing = workers.draw(photos[index]) }
                #expect(drawing == expected[index])
                drawn.add(1, ordering: .relaxed)
            }
        }
        let counters = workers.workers.counters
        #expect(counters.crashed == 0 && counters.late == 0)
        #expect(drawn.load(ordering: .relaxed) > 0 && counters.killed > 0)
    }

    /// Of this process alone.
    private static func killOne(_ random: inout SplitMix64) -> Bool {
        let victims = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap {
            name -> pid_t? in
            guard let process = pid_t(name),
                let line = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
                line.contains("(tondo-victim) "), let rest = line.split(separator: ") ").last
            else { return nil }
            let fields = rest.split(separator: " ")
            return fields.count > 1 && fields[0] != "Z" && pid_t(fields[1]) == getpid() ? process : nil
        }
        guard let victim = victims.randomElement(using: &random) else { return false }
        return kill(victim, SIGKILL) == 0
    }
}

import Foundation
import Synchronization
import Testing
import TondoImage
import TondoTestSupport

@testable import TondoRender

/// Workers that another process ends at any moment. `TONDO_WORKER_KILLS`: how many; 10,000 take some minutes.
@Suite struct WorkerKillTests {
    private static let kills = ProcessInfo.processInfo.environment["TONDO_WORKER_KILLS"].flatMap { Int($0) } ?? 60

    /// A photo whose workers were killed sixteen times in a row may fail; then it is drawn again.
    @Test(arguments: [false, true])
    func `Every avatar is correct however often workers are killed`(_ isAhead: Bool) throws {
        let folder = try TemporaryFolder()
        let victims = try Victims(isAhead ? "tondo-victim-2" : "tondo-victim", in: folder)
        let workers = try Workers { ($0.program, $0.isAhead) = (victims.path, isAhead) }
        let photos = try [Repository.small, Repository.smallPNG, Repository.sample, Repository.truncated].map {
            try [UInt8](Repository.data($0))
        }
        let expected = photos.map(workers.expected)
        let killed = Atomic<Int>(0)
        let drawn = Atomic<Int>(0)
        // A thread of its own: on one core the iterations below run one after the other, and would wait for it for ever.
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            var random = SplitMix64(0)
            while killed.load(ordering: .relaxed) < Self.kills {
                usleep(UInt32.random(in: 0..<3_000, using: &random))
                if victims.endOne(&random) { killed.add(1, ordering: .relaxed) }
            }
            ended.signal()
        }
        DispatchQueue.concurrentPerform(iterations: 3) { thread in
            var random = SplitMix64(UInt64(thread) + 1)
            while killed.load(ordering: .relaxed) < Self.kills {
                let index = Int.random(in: 0..<photos.count, using: &random)
                var drawing = workers.draw(photos[index])
                while case .decoderCrashed = drawing.error?.error { drawing = workers.draw(photos[index]) }
                #expect(drawing == expected[index])
                drawn.add(1, ordering: .relaxed)
            }
        }
        ended.wait()
        let counters = workers.workers.counters
        #expect(counters.crashed == 0 && counters.late == 0)
        #expect(drawn.load(ordering: .relaxed) > 0 && counters.killed > 0)
    }

    @Test func `A photo whose workers all end before they are ready has as many as one whose workers draw`() throws {
        let folder = try TemporaryFolder()
        let program = folder.pathString + "/killed"
        // Written by another process: one that a test beside this one starts meanwhile would inherit the file while it is open
        // for writing, and the kernel starts no such program (ETXTBSY).
        let script = #"printf '#!/bin/sh\nkill -KILL $$\n' > "$0" && chmod 700 "$0""#
        #expect(try ShellCommand.run("/bin/sh", "-c", script, program).status == 0)
        let workers = try Workers { $0.program = program }
        let photo = [UInt8](try Repository.data(Repository.small))
        #expect(workers.draw(photo).error?.error.code == "decoder-crashed")
        #expect(workers.counts == .init(killed: KillRetry.tries))
    }

    @Test func `Workers that are ended while they wait cost no photo`() throws {
        let folder = try TemporaryFolder()
        let victims = try Victims("tondo-waiting", in: folder)
        let workers = try Workers { $0.program = victims.path }
        // More than a photo has tries.
        for _ in 0...KillRetry.tries { try workers.workers.prepare() }
        victims.endAll()
        let photo = [UInt8](try Repository.data(Repository.small))
        #expect(workers.draw(photo) == workers.expected(photo))
        #expect(workers.counts == .init(started: KillRetry.tries + 2, killed: KillRetry.tries + 1, running: 1))
    }
}

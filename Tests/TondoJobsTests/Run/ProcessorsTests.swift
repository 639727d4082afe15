import Foundation
import Testing

@testable import TondoJobs

@Suite(.timeLimit(.minutes(15))) struct ProcessorsTests {
    private typealias SetAffinity = @convention(c) (pid_t, Int, UnsafePointer<cpu_set_t>) -> Int32

    @Test func `A process that may use one processor of several counts one`() async throws {
        // Glibc has it, but shows it to C with _GNU_SOURCE only.
        let symbol = try #require(dlsym(nil, "sched_setaffinity"))
        let pin = unsafeBitCast(symbol, to: SetAffinity.self)
        let counted = await withCheckedContinuation { continuation in
            // Only this thread is pinned.
            Thread.detachNewThread {
                for processor in 0..<64 {
                    var set = cpu_set_t()
                    withUnsafeMutableBytes(of: &set) { $0[processor / 8] = 1 << UInt8(processor % 8) }
                    if pin(0, MemoryLayout<cpu_set_t>.size, &set) == 0 { break }
                }
                continuation.resume(returning: Processors.available)
            }
        }
        #expect(counted == 1)
    }
}

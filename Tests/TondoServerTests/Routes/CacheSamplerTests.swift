import Dispatch
import Synchronization
import Testing
import TondoCache
import TondoTestSupport

@testable import TondoServer

@Suite(.timeLimit(.minutes(15))) struct CacheSamplerTests {
    @Test func `A cache that does not answer leaves the last sample`() async {
        let stuck = DispatchSemaphore(value: 0)
        let samples = Mutex(0)
        var last = Statistics()
        last.entries = 7
        let sample = last
        let sampler = CacheSampler(limit: .milliseconds(5)) {
            let isFirst = samples.withLock { count in
                count += 1
                return count == 1
            }
            if !isFirst { stuck.wait() }
            return sample
        }
        while await sampler.statistics == nil {}
        for _ in 0..<3 { #expect(await sampler.statistics?.entries == 7) }
        // The sample that is stuck is the only one.
        #expect(samples.withLock { $0 } == 2)
        stuck.signal()
    }

    @Test func `Requests at the same time share a sample`() async {
        let gate = DispatchSemaphore(value: 0)
        let samples = Mutex(0)
        let sampler = CacheSampler(limit: .seconds(30)) {
            samples.withLock { $0 += 1 }
            gate.wait()
            return Statistics()
        }
        await withTaskGroup { group in
            for _ in 0..<8 { group.addTask { #expect(await sampler.statistics != nil) } }
            #expect(await eventually { sampler.waiting >= 8 })
            gate.signal()
        }
        #expect(samples.withLock { $0 } == 1)
    }
}

import Dispatch
import Synchronization
import Testing
import TondoImage
import TondoTestSupport

@testable import TondoRender

@Suite struct SlotGateTests {
    /// After the end of any run, also where other work keeps all threads busy.
    private static let far = SuspendingClock.now + .seconds(3_600)

    @Test func `As many callers as slots are admitted at once`() {
        let gate = SlotGate(slots: 2)
        let inside = Mutex((now: 0, most: 0))
        DispatchQueue.concurrentPerform(iterations: 200) { _ in
            #expect(gate.enter(before: Self.far))
            inside.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            inside.withLock { $0.now -= 1 }
            gate.leave()
        }
        #expect((1...2).contains(inside.withLock { $0.most }))
        #expect(gate.waiting == 0)
    }

    @Test func `A caller whose deadline comes first is not admitted, and takes no slot`() {
        let gate = SlotGate(slots: 1)
        #expect(gate.enter(before: Self.far))
        #expect(!gate.enter(before: .now))
        #expect(!gate.enter(before: .now + .milliseconds(1)))
        gate.leave()
        #expect(gate.enter(before: .now))
    }

    @Test func `The first that waits is admitted first`() {
        let gate = SlotGate(slots: 1)
        let order = Mutex<[Int]>([])
        let done = DispatchGroup()
        #expect(gate.enter(before: Self.far))
        for number in 0..<3 {
            DispatchQueue.global().async(group: done) {
                #expect(gate.enter(before: Self.far))
                order.withLock { $0.append(number) }
                gate.leave()
            }
            while gate.waiting <= number { usleep(1_000) }
        }
        gate.leave()
        done.wait()
        #expect(order.withLock { $0 } == [0, 1, 2])
    }
}

@Suite struct WorkerKindTests {
    private let small: [UInt8]

    init() throws { small = try [UInt8](Repository.data(Repository.small)) }

    /// The standard program in the place of the other one, which draws a JPEG as well.
    private func workers(_ heif: String, slots: Int = 1) throws -> Workers {
        try Workers("tondo-render") {
            $0.programs[.heif] = (try? BuiltProgram.path(heif)) ?? heif
            $0.slots = slots
        }
    }

    @Test func `Each format has the worker with its library`() throws {
        let workers = try workers("tondo-render")
        for (format, kind) in [(ImageHeader.Format.png, WorkerKind.standard), (.heic, .heif), (.avif, .heif)] {
            let before = workers.workers.counters(of: kind)
            #expect(workers.draw(small, format: format) == workers.expected(small))
            workers.workers.endIdle()
            #expect(workers.workers.counters(of: kind).started == before.started + 1)
        }
        #expect(workers.workers.counters.started == 3)
    }

    @Test func `The program of another kind lies beside the standard one`() {
        let options = RenderWorkers.Options(program: "/usr/bin/tondo-render")
        #expect(options.program(of: .heif) == "/usr/bin/tondo-render-heif")
        #expect(RenderWorkers.Options(program: "tondo-render").program(of: .heif) == "tondo-render-heif")
    }

    @Test func `Without its program a photo is unsupported, and others are drawn`() throws {
        let workers = try workers("no-such-program")
        #expect(!workers.workers.isInstalled(.heif))
        #expect(
            workers.draw(small, format: .avif).error
                == RenderError(stage: .probe, error: .unsupported("AVIF (install tondo-heif)")))
        #expect(workers.draw(small).error == nil)
    }

    @Test func `With one slot a photo that fails or crashes lets the next one in`() throws {
        let workers = try workers("RenderFaults")
        let done = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 8) { index in
            let photo = index % 2 == 0 ? small : Array("FAULT exit\n".utf8)
            let drawing = workers.draw(photo, format: .heic)
            #expect((drawing.error == nil) == (index % 2 == 0))
            #expect(workers.draw(small).error == nil)
            done.withLock { $0 += 1 }
        }
        #expect(done.withLock { $0 } == 8)
        #expect(workers.workers.waiting(for: .heif) == 0)
        #expect(workers.workers.counters(of: .heif).running <= 1)
    }

    @Test func `A photo that waits for a slot fails at its deadline, and holds up no other kind`() throws {
        let workers = try workers("RenderFaults")
        let done = DispatchGroup()
        let held = Mutex<RenderError?>(nil)
        DispatchQueue.global().async(group: done) {
            let error = workers.draw(Array("FAULT loop\n".utf8), within: .seconds(3), format: .heic).error
            held.withLock { $0 = error }
        }
        while workers.workers.counters(of: .heif).running == 0 { usleep(1_000) }
        #expect(workers.draw(small, within: .milliseconds(10), format: .heic).error?.error == .timedOut)
        #expect(workers.draw(small).error == nil)
        done.wait()
        #expect(held.withLock { $0 }?.error == .timedOut)
        #expect(workers.draw(small, format: .heic).error == nil)
    }

    @Test func `The slots of HEIC are half of all, and one at least`() {
        #expect([1, 2, 3, 8].map { WorkerKind.heif.most(of: $0) } == [1, 1, 1, 4])
        #expect(WorkerKind.standard.most(of: 8) == nil)
    }

    @Test func `The slots of each kind are at its index`() throws {
        #expect(WorkerKind.allCases.map(\.index) == Array(WorkerKind.allCases.indices))
        let limits = try workers("RenderFaults", slots: 4).workers.slotsOfKinds
        #expect(limits == WorkerKind.allCases.map { $0.most(of: 4) } && limits[WorkerKind.heif.index] == 2)
    }
}

#if canImport(Glibc)
    private import Glibc
#endif

import CSandbox
import Dispatch
import Foundation
import PlantedFaults
import Synchronization
import Testing
import TondoImage
import TondoTestSupport

@testable import TondoRender

/// One worker with another photo in its socket.
@Suite(.timeLimit(.minutes(15)), .enabled(if: csandbox_is_complete() != 0, "a sanitizer's runtime needs the calls"))
struct WorkersAheadTests {
    private let small: [UInt8]

    init() throws { small = try [UInt8](Repository.data(Repository.small)) }

    private func workers(
        _ program: String = "RenderFaults", _ change: (inout RenderWorkers.Options) -> Void = { _ in }
    ) throws -> Workers {
        try Workers(program) {
            $0.isAhead = true
            $0.programs[.heif] = try? BuiltProgram.path("RenderFaults")
            change(&$0)
        }
    }

    private func fault(_ fault: PlantedFault) -> [UInt8] { Array("FAULT \(fault.rawValue)\n".utf8) }

    /// Draws `photo` behind one with this fault, and returns what both gave. `meanwhile`: while both are in the worker.
    private func draw(
        _ photo: RenderWorkers.Photo, behind fault: PlantedFault, within limit: Duration, _ workers: Workers,
        itself: Duration = .seconds(60), meanwhile: () -> Void = {}
    ) -> (first: Workers.Drawing, second: Workers.Drawing) {
        let first = Mutex(Workers.Drawing())
        let second = Mutex(Workers.Drawing())
        let ended = Atomic(false)
        let done = DispatchGroup()
        let faulty = self.fault(fault)
        DispatchQueue.global().async(group: done) {
            let drawing = workers.draw(faulty, within: limit)
            first.withLock { $0 = drawing }
            ended.store(true, ordering: .releasing)
        }
        func wait(while requests: Int) {
            while workers.workers.requests(of: .standard) == requests, !ended.load(ordering: .acquiring) { usleep(100) }
        }
        wait(while: 0)
        // The caller's bytes and files stay until `done`.
        nonisolated(unsafe) let photo = photo
        DispatchQueue.global().async(group: done) {
            let drawing = workers.draw(photo, within: itself)
            second.withLock { $0 = drawing }
        }
        wait(while: 1)
        meanwhile()
        done.wait()
        return (first.withLock { $0 }, second.withLock { $0 })
    }

    @Test func `Photos of many callers are drawn by one worker, each its own`() throws {
        let workers = try workers("tondo-render")
        let photos = try [Repository.small, Repository.smallPNG, Repository.sample, Repository.truncated].map {
            try [UInt8](Repository.data($0))
        }
        let expected = photos.map(workers.expected)
        DispatchQueue.concurrentPerform(iterations: 4) { index in
            for turn in 0..<25 {
                let photo = (index + turn) % photos.count
                #expect(workers.draw(photos[photo]) == expected[photo])
            }
        }
        #expect(workers.counts == .init(started: 1, running: 1))
    }

    @Test func `Files and bytes in one socket are not confused`() throws {
        let workers = try workers("tondo-render")
        let file = try #require(FileHandle(forReadingAtPath: Repository.path(Repository.sample)))
        let sample = try [UInt8](Repository.data(Repository.sample))
        let expected = [workers.expected(small), workers.expected(sample)]
        DispatchQueue.concurrentPerform(iterations: 4) { index in
            for turn in 0..<25 {
                if (index + turn) % 2 == 0 {
                    #expect(workers.draw(small) == expected[0])
                } else {
                    let photo = RenderWorkers.Photo.file(file.fileDescriptor, offset: 0, count: sample.count) { true }
                    #expect(workers.draw(photo) == expected[1])
                }
            }
        }
        #expect(workers.counts == .init(started: 1, running: 1))
    }

    @Test(arguments: PlantedFault.allCases)
    func `A photo behind one that ends the worker is drawn by another worker`(_ fault: PlantedFault) throws {
        let workers = try workers()
        let expected = workers.expected(small)
        let limit = fault.ending == .late ? Duration.milliseconds(500) : .seconds(60)
        try workers.workers.prepare()
        let (first, second): (Workers.Drawing, Workers.Drawing)
        if fault.ending == .late {
            (first, second) = small.withUnsafeBytes { draw(.bytes($0), behind: fault, within: limit, workers) }
            // The next answer completes half an avatar, wrongly, if it comes before the deadline.
            let isCompleted = fault == .halfAvatar && first.error?.error == .decoderCrashed("it sent not an avatar")
            #expect(first.error?.error == .timedOut || isCompleted)
        } else {
            // It may have failed before another one is behind it.
            let drawings = Mutex([Int: Workers.Drawing]())
            let faulty = self.fault(fault)
            DispatchQueue.concurrentPerform(iterations: 4) { index in
                let drawing = workers.draw(index % 2 == 0 ? faulty : small)
                drawings.withLock { $0[index] = drawing }
            }
            let all = drawings.withLock { $0 }
            #expect(all[0]?.error?.error.code == "decoder-crashed" && all[2]?.error?.error.code == "decoder-crashed")
            #expect(all[1] == expected && all[3] == expected)
            #expect(workers.workers.counters.crashed == 2)
            return
        }
        #expect(second == expected)
        let counters = workers.workers.counters
        #expect(counters.started == 2 && counters.late + counters.crashed == 1 && counters.running == 1)
    }

    @Test func `The time of a photo begins when the one before it has ended`() throws {
        // A busy machine may not draw the second in a short time either.
        for seconds in [2, 8, 32] {
            let workers = try workers()
            try workers.workers.prepare()
            // It waits for longer than it may take.
            let (first, second) = small.withUnsafeBytes {
                draw(
                    .bytes($0), behind: .loop, within: .milliseconds(seconds * 1_100), workers,
                    itself: .seconds(seconds))
            }
            if second.error?.error == .timedOut, seconds < 32 { continue }
            return #expect(first.error?.error == .timedOut && second.error == nil)
        }
    }

    @Test func `A worker that is killed costs the photo behind no try`() throws {
        let folder = try TemporaryFolder()
        let victims = try Victims("tondo-ahead", of: "RenderFaults", in: folder)
        // On a busy machine the first photo's time may be up before both are in the worker.
        for seconds in [1, 4, 16, 64] {
            let workers = try workers { $0.program = victims.path }
            try workers.workers.prepare()
            let (first, second) = small.withUnsafeBytes {
                draw(.bytes($0), behind: .loop, within: .seconds(seconds), workers) { victims.endAll() }
            }
            let counters = workers.workers.counters
            if counters.killed == 0, counters.late > 0, seconds < 64 { continue }
            #expect(first.error?.error == .timedOut && second == workers.expected(small))
            return #expect(counters.killed == 1 && counters.crashed == 0)
        }
    }

    @Test func `A worker is replaced after its photos, and the one in its socket is drawn before`() throws {
        let workers = try workers("tondo-render") { $0.answers = 3 }
        let expected = workers.expected(small)
        DispatchQueue.concurrentPerform(iterations: 3) { _ in
            for _ in 0..<20 { #expect(workers.draw(small) == expected) }
        }
        let counters = workers.workers.counters
        #expect(counters.replaced == counters.started - counters.running && counters.killed == 0)
        #expect((60 / 4...60 / 3).contains(counters.replaced))
    }

    @Test func `A caller that takes no avatar costs the photo behind nothing`() throws {
        struct Refusal: Error {}
        let workers = try workers("tondo-render")
        let expected = workers.expected(small)
        DispatchQueue.concurrentPerform(iterations: 4) { index in
            for _ in 0..<10 where index % 2 == 0 { #expect(workers.draw(small) == expected) }
            for _ in 0..<10 where index % 2 == 1 {
                #expect(throws: Refusal.self) {
                    try small.withUnsafeBytes { photo in
                        try workers.workers.draw(
                            workers.avatars, with: workers.setup, of: .bytes(photo), crop: nil, within: nil
                        ) { _, _ in throw Refusal() }
                    }
                }
            }
        }
        #expect(workers.workers.counters.crashed == 0 && workers.workers.counters.running <= 1)
    }

    @Test func `Photos of all kinds share the slots, and the time in which one waits for its slot is not its own`()
        throws
    {
        let workers = try workers()
        let done = DispatchGroup()
        let held = Mutex<RenderError?>(nil)
        let ended = Atomic(false)
        let faulty = fault(.loop)
        try workers.workers.prepare(.heif)
        DispatchQueue.global().async(group: done) {
            let error = workers.draw(faulty, within: .milliseconds(2_200), format: .heic).error
            held.withLock { $0 = error }
            ended.store(true, ordering: .releasing)
        }
        while workers.workers.requests(of: .heif) == 0, !ended.load(ordering: .acquiring) { usleep(100) }
        #expect(workers.draw(small, within: .seconds(2)).error == nil)
        #expect(workers.workers.counters(of: .heif).late == 1)
        done.wait()
        #expect(held.withLock { $0 }?.error == .timedOut)
    }
}

@Suite struct FrameSocketTests {
    @Test func `What is held goes before the next frame, in its order, and not earlier`() throws {
        var ends: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        var sender = FrameSocket(socket: ends[0], takesDescriptors: false)
        var receiver = FrameSocket(socket: ends[1], takesDescriptors: false)
        for turn in UInt8(0)..<2 {
            // Other bytes in each turn, so that a frame that is sent twice is seen.
            let long = [UInt8](repeating: turn, count: 5_000)
            sender.hold(.avatar, request: 1, body: long)
            sender.hold(.avatar, request: 2, body: [2])
            var byte: UInt8 = 0
            #expect(recv(ends[1], &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) < 0, "in turn \(turn)")
            try sender.send(.done, request: 3, body: long + [3])
            for (number, body) in [long, [2], long + [3]].enumerated() {
                let frame = try receiver.receive(limit: 10_000)
                let bytes = try receiver.receive(count: frame.length)
                #expect(frame.request == UInt64(number) + 1 && bytes == body)
            }
        }
    }

    @Test func `A descriptor that came with a part of the request before is kept for its own`() throws {
        var ends: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        var sender = FrameSocket(socket: ends[0], takesDescriptors: false)
        var receiver = FrameSocket(socket: ends[1], takesDescriptors: true)
        let files = try (0..<2).map { _ in try #require(FileHandle(forReadingAtPath: "/dev/null")) }
        try sender.send(.request, request: 1, body: [1, 2, 3])
        for (number, file) in files.enumerated() {
            try sender.send(.request, request: UInt64(number) + 2, body: [4, 5], descriptor: file.fileDescriptor)
        }
        for number in 1...3 {
            let frame = try receiver.receive(limit: 10)
            _ = try receiver.receive(count: frame.length)
            #expect(frame.request == UInt64(number))
            if number == 1 { continue }
            let file = receiver.takeDescriptor()
            #expect(file.map { close($0) } == 0)
        }
        let further = receiver.takeDescriptor()
        #expect(further == nil)
    }
}

#if canImport(Glibc)
    private import Glibc
#endif

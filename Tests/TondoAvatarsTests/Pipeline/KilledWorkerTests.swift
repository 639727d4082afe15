import Dispatch
import Foundation
import PlantedFaults
import Synchronization
import Testing
import TondoContacts
import TondoImage
import TondoJobs
import TondoTestSupport

@testable import TondoAvatars
@testable import TondoRender

/// Workers that another process ends while they draw, and what waits for them.
@Suite(.timeLimit(.minutes(15))) struct KilledWorkerTests {
    private let book: SmallBook

    init() throws { book = try SmallBook() }

    /// Ends each worker while it starts or draws, until the photo that never ends has failed. Ended processes are not counted: one that
    /// drew nothing, or another photo, is no try of this one, and then nothing would end its last worker.
    private func endAllTries(_ victims: Victims, until isOver: @Sendable () -> Bool) async {
        while !isOver(), !Task.isCancelled {
            victims.endAll()
            try? await Task.sleep(for: .milliseconds(2))
        }
    }

    private func request(_ photo: [UInt8], _ pipeline: AvatarPipeline) -> AvatarRequest {
        AvatarRequest(.bytes(PhotoFile(copying: photo)), styles: pipeline.styles([Style(size: 16)]))
    }

    @Test func `A HEIC photo whose worker is killed each time fails, and those that wait for its slot are drawn`()
        async throws
    {
        let victims = try Victims("tondo-slot", of: "RenderFaultsHEIF", in: book.folder)
        let workers = try WorkerSlots.workers([.heif: victims.path])
        // More drawings at once than slots for HEIC.
        let pipeline = AvatarPipeline(cache: book.cache, WorkerSlots.options(workers, drawings: 3))
        let results = Mutex<[String: String]>([:])
        func submit(_ name: String, _ photo: [UInt8]) {
            pipeline.avatars(request(photo, pipeline), .wait) { result in
                results.withLock { $0[name] = if case .failure(let failure) = result { failure.code } else { "drawn" } }
            }
        }
        submit("loop", try AnyFormat.heic.bytes(with: .loop))
        #expect(await eventually { workers.counters(of: .heif).started != 0 })
        for name in ["first", "second"] { submit(name, try AnyFormat.heic.bytes + Array(name.utf8)) }
        #expect(await eventually { pipeline.counters.queued >= 1 && pipeline.counters.waitingForRoom >= 1 })
        #expect(workers.waiting(for: .heif) == 0)
        // One waits in the queue for the one slot, and another one for room in it, with the next behind.
        submit("png", try AnyFormat.png.bytes)
        await endAllTries(victims) { results.withLock { $0["loop"] != nil } }
        // A drain refuses what waits for room.
        #expect(await eventually { results.withLock({ $0.count }) >= 4 })
        #expect(
            results.withLock { $0 } == ["loop": "decoder-crashed", "first": "drawn", "second": "drawn", "png": "drawn"])
        // The worker of the next photo may have been ended, too.
        #expect(workers.counters(of: .heif).killed >= KillRetry.tries && workers.waiting(for: .heif) == 0)
    }

    @Test func `A photo of another format is drawn while HEIC photos wait for their slot`() async throws {
        let victims = try Victims("tondo-heic", of: "RenderFaultsHEIF", in: book.folder)
        let workers = try WorkerSlots.workers([.heif: victims.path])
        var options = WorkerSlots.options(workers, drawings: 2)
        (options.queue.depth, options.queue.room, options.openDepth) = (4, 4, 4)
        let pipeline = AvatarPipeline(cache: book.cache, options)
        let results = Mutex<[String]>([])
        let loop = request(try AnyFormat.heic.bytes(with: .loop), pipeline)
        pipeline.avatars(loop, .wait) { _ in results.withLock { $0.append("loop") } }
        #expect(await eventually { workers.counters(of: .heif).started != 0 })
        for name in ["first", "second"] {
            let photo = request(try AnyFormat.heic.bytes + Array(name.utf8), pipeline)
            pipeline.avatars(photo, .wait) { _ in results.withLock { $0.append(name) } }
        }
        #expect(await eventually { pipeline.counters.queued >= 2 })
        let png = request(try AnyFormat.png.bytes, pipeline)
        pipeline.avatars(png, .wait) { _ in results.withLock { $0.append("png") } }
        #expect(await eventually { !results.withLock({ $0.isEmpty }) })
        #expect(results.withLock { $0 } == ["png"])
        #expect(workers.waiting(for: .heif) == 0 && pipeline.counters.queued == 2)
        await endAllTries(victims) { results.withLock { $0.contains("loop") } }
        #expect(await pipeline.drain(within: .seconds(300)))
        // The slot is free before the completion runs, so completions of different threads may overtake each other.
        #expect(results.withLock { $0.first == "png" && $0.sorted() == ["first", "loop", "png", "second"] })
    }

    @Test func `Letters whose worker is killed each time are a silhouette, and the next contact has its initials`()
        async throws
    {
        let victims = try Victims("tondo-letters", of: "RenderFaultsText", in: book.folder)
        let workers = try WorkerSlots.workers([.text: victims.path])
        let pipeline = AvatarPipeline(cache: book.cache, WorkerSlots.options(workers))
        func kinds(of names: [String]) async throws -> [String: PreparedAvatar.Kind] {
            let cards = names.map { "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\($0)\r\nFN:\($0)\r\nEND:VCARD\r\n" }
            try book.write(cards.joined(), to: "all.vcf")
            let loader = ContactLoader(book.path, styles: [AvatarStyle(size: 16)], pipeline: pipeline)
            var kinds: [String: PreparedAvatar.Kind] = [:]
            for try await event in loader.events() {
                if let avatar = event.avatar { kinds[avatar.contact] = avatar.kind }
            }
            return kinds
        }
        // Alone: another contact whose worker is ended so often would be a silhouette, too.
        let isLoaded = Atomic(false)
        async let killing: Void = endAllTries(victims) { isLoaded.load(ordering: .relaxed) }
        let first = try await kinds(of: [PlantedFault.loop.name])
        isLoaded.store(true, ordering: .relaxed)
        await killing
        #expect(first == [PlantedFault.loop.name: .silhouette])
        #expect(try await kinds(of: ["Bo Orr", "Cy Orr"]) == ["Bo Orr": .initials, "Cy Orr": .initials])
        #expect(workers.counters(of: .text).killed == KillRetry.tries)
    }

    @Test func `A photo that is ended at its deadline lets those in that wait for its slot`() async throws {
        let workers = try WorkerSlots.workers()
        var options = WorkerSlots.options(workers, drawings: 2)
        options.timeout = .seconds(2)
        // Without a cache, which would remember that one was late.
        let pipeline = AvatarPipeline(cache: nil, options)
        let failure = Mutex<String?>(nil)
        pipeline.avatars(request(try AnyFormat.heic.bytes(with: .loop), pipeline), .wait) { result in
            if case .failure(let error) = result { failure.withLock { $0 = error.code } }
        }
        #expect(await eventually { workers.counters(of: .heif).started != 0 })
        let next = request(try AnyFormat.heic.bytes, pipeline)
        let drawn = await withCheckedContinuation { (done: CheckedContinuation<Int, Never>) in
            // Asked again, as a client does: its own time may be over as well.
            @Sendable func ask() {
                pipeline.avatars(next, .wait) { result in
                    switch result {
                    case .success(let avatars): done.resume(returning: avatars.count)
                    case .failure: ask()
                    }
                }
            }
            ask()
        }
        #expect(drawn == 1)
        #expect(failure.withLock { $0 } == "job-timeout")
        #expect(workers.counters(of: .heif).late >= 1)
    }
}

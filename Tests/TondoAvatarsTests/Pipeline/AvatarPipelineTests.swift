import Dispatch
import Foundation
import Glibc
import Synchronization
import SystemPackage
import Testing
import TondoCache
import TondoFiles
import TondoImage
import TondoJobs
import TondoTestSupport

@testable import TondoAvatars

@Suite(.timeLimit(.minutes(15))) struct AvatarPipelineTests {
    private let folder: TemporaryFolder
    private let cache: AvatarCache

    init() throws {
        folder = try TemporaryFolder()
        cache = try AvatarCache(folder.path.appending("cache"))
    }

    private func request(_ pipeline: AvatarPipeline, _ shade: UInt8, contact: String? = nil) -> AvatarRequest {
        AvatarRequest(
            .bytes(PhotoFile(copying: SmallBook.image(shade))), contact: contact,
            styles: pipeline.styles([Style(size: 16)]))
    }

    private func avatars(_ pipeline: AvatarPipeline, _ request: AvatarRequest) async -> Result<[Avatar], AvatarFailure>
    {
        await withCheckedContinuation { done in pipeline.avatars(request) { done.resume(returning: $0) } }
    }

    @Test func `What was drawn comes out of the cache without a job`() async throws {
        let pipeline = AvatarPipeline(cache: cache)
        let first = try await avatars(pipeline, request(pipeline, 1)).get()
        let second = try await avatars(pipeline, request(pipeline, 1)).get()
        #expect(first.map(\.source) == [.rendered] && second.map(\.source) == [.cache])
        #expect(first.map(\.bytes) == second.map(\.bytes))
        #expect(pipeline.counters.done == 1 && pipeline.counters.coalesced == 0)
    }

    @Test func `A thousand equal requests at once are one decode`() async throws {
        let pipeline = AvatarPipeline(cache: cache)
        pipeline.pause()
        let styles = pipeline.styles([Style(size: 16)])
        let (keys, recorded) = AsyncStream.makeStream(of: CacheKey?.self)
        for _ in 0..<1000 {
            let request = AvatarRequest(.bytes(PhotoFile(copying: SmallBook.image(1))), styles: styles)
            // However busy the machine is, none is refused.
            pipeline.avatars(request, .wait) { recorded.yield((try? $0.get())?.first?.key) }
        }
        // One that is opened after the avatar is drawn would be a hit.
        #expect(await eventually { pipeline.counters.coalesced == 999 })
        pipeline.resume()
        let all = await keys.prefix(1000).reduce(into: []) { $0.append($1) }
        #expect(Set(all).count == 1 && all[0] != nil)
        #expect(pipeline.counters.done == 1 && pipeline.counters.coalesced == 999)
    }

    @Test func `A full queue refuses at once`() async throws {
        var options = AvatarPipeline.Options()
        options.queue.depth = 1
        let pipeline = AvatarPipeline(cache: cache, options)
        pipeline.pause()
        pipeline.avatars(request(pipeline, 1)) { _ in }
        #expect(await eventually { pipeline.counters.queued != 0 })
        guard case .failure(let failure) = await avatars(pipeline, request(pipeline, 2)) else {
            Issue.record("not refused")
            return
        }
        #expect(failure.code == "queue-full" && failure.isTransient)
        pipeline.resume()
    }

    private func file(_ shade: UInt8, _ pipeline: AvatarPipeline) throws -> AvatarRequest {
        let path = try folder.write(SmallBook.image(shade), to: "photo.png")
        return AvatarRequest(.file(path), styles: pipeline.styles([Style(size: 16)]))
    }

    @Test func `A photo that was changed while its job was queued is not shown`() async throws {
        var options = AvatarPipeline.Options()
        options.keptPhotos = 0
        let pipeline = AvatarPipeline(cache: cache, options)
        pipeline.pause()
        let request = try file(1, pipeline)
        async let result = avatars(pipeline, request)
        #expect(await eventually { pipeline.counters.queued == 1 })
        _ = try folder.write(SmallBook.image(9), to: "photo.png")
        pipeline.resume()
        guard case .failure(let failure) = await result else {
            Issue.record("drawn")
            return
        }
        #expect(failure.code == "photo-changed" && failure.isTransient)
        let next = try await avatars(pipeline, request).get()
        let direct = try await avatars(pipeline, self.request(pipeline, 9)).get()
        #expect(next.map(\.key) == direct.map(\.key))
    }

    @Test func `Equal requests that are opened and drawn together are counted as coalesced once`() async throws {
        let gate = DispatchSemaphore(value: 0)
        var options = AvatarPipeline.Options()
        options.system.opening = { gate.wait() }
        let pipeline = AvatarPipeline(cache: nil, options)
        let request = try file(1, pipeline)
        let running = DispatchGroup()
        for _ in 0..<5 {
            running.enter()
            pipeline.avatars(request) { _ in running.leave() }
        }
        gate.signal()
        await withCheckedContinuation { done in running.notify(queue: .global()) { done.resume() } }
        let counters = pipeline.counters
        #expect(counters.done + counters.coalesced == 5)
    }

    @Test func `A contact keeps its photo though an equal one, whose job it shares, is deleted`() async throws {
        var options = AvatarPipeline.Options()
        options.keptPhotos = 0
        let pipeline = AvatarPipeline(cache: nil, options)
        let styles = pipeline.styles([Style(size: 16)])
        pipeline.pause()
        let paths = try ["a.png", "b.png"].map { try folder.write(SmallBook.image(1), to: $0) }
        let (failures, recorded) = AsyncStream.makeStream(of: AvatarFailure?.self)
        for (count, path) in paths.enumerated() {
            pipeline.avatars(AvatarRequest(.file(path), styles: styles)) { result in
                if case .failure(let failure) = result { recorded.yield(failure) } else { recorded.yield(nil) }
            }
            #expect(await eventually { pipeline.counters.queued + pipeline.counters.coalesced > count })
        }
        try FileManager.default.removeItem(atPath: paths[0].string)
        pipeline.resume()
        for await failure in failures.prefix(2) {
            #expect(failure?.code == "photo-changed" && failure?.isTransient == true)
        }
        let results = [
            await avatars(pipeline, AvatarRequest(.file(paths[0]), styles: styles)),
            await avatars(pipeline, AvatarRequest(.file(paths[1]), styles: styles)),
        ]
        #expect(results.map { (try? $0.get()) != nil } == [false, true])
    }

    @Test func `A drain finishes what was accepted`() async throws {
        for _ in 0..<40 {
            var options = AvatarPipeline.Options()
            options.queue.workers = 1
            let pipeline = AvatarPipeline(cache: nil, options)
            let (codes, recorded) = AsyncStream.makeStream(of: String?.self)
            pipeline.avatars(request(pipeline, 1)) { result in
                if case .failure(let failure) = result { recorded.yield(failure.code) } else { recorded.yield(nil) }
            }
            #expect(await pipeline.drain(within: .seconds(300)))
            for await code in codes.prefix(1) { #expect(code == nil) }
        }
    }

    @Test func `A pipe is read once`() async throws {
        let path = folder.path.appending("pipe")
        #expect(mkfifo(path.string, 0o600) == 0)
        let pipeline = AvatarPipeline(cache: nil)
        let request = AvatarRequest(.file(path), styles: pipeline.styles([Style(size: 16)]))
        // Who opens a pipe to write waits for a reader: in a thread of its own, without which the reader might not begin.
        let writing = Thread {
            guard let writer = try? FileDescriptor.open(path, .writeOnly) else { return }
            _ = try? writer.closeAfter { try writer.writeAll(SmallBook.image(1)) }
        }
        writing.start()
        #expect(try await avatars(pipeline, request).get().count == 1)
    }

    @Test(arguments: AvatarPipeline.Admission.all)
    func `A request of a drained pipeline fails, and is admitted once`(_ admission: AvatarPipeline.Admission)
        async throws
    {
        let pipeline = AvatarPipeline(cache: cache)
        #expect(await pipeline.drain(within: .seconds(300)))
        let (calls, recorded) = AsyncStream.makeStream(of: String.self)
        let admitted = { @Sendable () -> Void in _ = recorded.yield("admitted") }
        pipeline.avatars(request(pipeline, 1), admission, admitted: admitted) { result in
            if case .failure(let failure) = result { recorded.yield(failure.code) }
        }
        recorded.finish()
        #expect(await calls.reduce(into: []) { $0.append($1) }.sorted() == ["admitted", "queue-closed"])
    }

    @Test func `One worker and a full queue draw all that wait, broken photos included`() async throws {
        var options = AvatarPipeline.Options()
        (options.queue.workers, options.queue.depth, options.queue.room, options.openDepth) = (1, 1, 1, 1)
        let pipeline = AvatarPipeline(cache: cache, options)
        let styles = pipeline.styles([Style(size: 16)])
        let ended = await withTaskGroup(of: Bool.self) { group in
            for shade in 0..<40 as Range<UInt8> {
                let photo = shade % 5 == 0 ? CutPhoto.bytes + [shade] : SmallBook.image(shade)
                group.addTask {
                    await withCheckedContinuation { done in
                        pipeline.avatars(AvatarRequest(.bytes(PhotoFile(copying: photo)), styles: styles), .wait) {
                            let isDrawn = (try? $0.get()) != nil
                            // As a loader does, with a completion on the only worker.
                            pipeline.avatars(AvatarRequest(.silhouette, styles: styles), .wait) { _ in
                                done.resume(returning: isDrawn)
                            }
                        }
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(ended.count { $0 } == 32 && ended.count == 40)
    }

    @Test func `Without a cache everything is drawn`() async throws {
        let pipeline = AvatarPipeline(cache: nil)
        for _ in 0..<2 {
            let avatars = try await avatars(pipeline, request(pipeline, 1)).get()
            #expect(avatars.map(\.source) == [.rendered] && avatars.map(\.isStored) == [false])
        }
    }

    @Test func `A photo that cannot be drawn fails with its code, and is remembered`() async throws {
        let pipeline = AvatarPipeline(cache: cache)
        let broken = CutPhoto.bytes
        let styles = pipeline.styles([Style(size: 16)])
        for _ in 0..<2 {
            let result = await avatars(pipeline, AvatarRequest(.bytes(PhotoFile(copying: broken)), styles: styles))
            guard case .failure(let failure) = result else {
                Issue.record("drawn")
                return
            }
            #expect(failure.code == "truncated" || failure.code == "corrupt")
        }
        #expect(try cache.failures().count == 1)
    }

    @Test func `One who cancels does not hurt another`() async throws {
        let pipeline = AvatarPipeline(cache: cache)
        pipeline.pause()
        let cancelled = Mutex<AvatarFailure?>(nil)
        let task = pipeline.avatars(request(pipeline, 1)) { result in
            if case .failure(let failure) = result { cancelled.withLock { $0 = failure } }
        }
        let other = await withCheckedContinuation { done in
            pipeline.avatars(request(pipeline, 1)) { done.resume(returning: $0) }
            task.cancel()
            pipeline.resume()
        }
        #expect(cancelled.withLock { $0 }?.code == "job-cancelled")
        #expect(try other.get().count == 1)
    }
}

extension AvatarPipeline.Admission {
    fileprivate static let all: [AvatarPipeline.Admission] = [.refuse, .wait]
}

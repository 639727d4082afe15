import Dispatch
import Synchronization
import SystemPackage
import Testing
import TondoCache
import TondoFiles
import TondoImage
import TondoJobs
import TondoTestSupport

@testable import TondoAvatars

@Suite(.timeLimit(.minutes(1))) struct AvatarPipelineTests {
    private let folder: TemporaryFolder
    private let cache: AvatarCache

    init() throws {
        folder = try TemporaryFolder()
        cache = try AvatarCache(folder.path.appending("cache"))
    }

    private func request(_ pipeline: AvatarPipeline, _ shade: UInt8, contact: String? = nil) -> AvatarRequest {
        AvatarRequest(
            PhotoFile(copying: SmallBook.image(shade)), contact: contact, styles: pipeline.styles([Style(size: 16)]))
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
        #expect(first.map(\.png) == second.map(\.png))
        #expect(pipeline.counters.done == 1 && pipeline.counters.coalesced == 0)
    }

    @Test func `A thousand equal requests at once are one decode`() async throws {
        let pipeline = AvatarPipeline(cache: cache)
        pipeline.pause()
        let styles = pipeline.styles([Style(size: 16)])
        let keys = await withCheckedContinuation { done in
            let seen = Mutex<[CacheKey]>([])
            for _ in 0..<1000 {
                let request = AvatarRequest(PhotoFile(copying: SmallBook.image(1)), styles: styles)
                pipeline.avatars(request) { result in
                    let all = seen.withLock { seen in
                        seen += (try? result.get())?.map(\.key) ?? []
                        return seen
                    }
                    if all.count == 1000 { done.resume(returning: all) }
                }
            }
            pipeline.resume()
        }
        #expect(Set(keys).count == 1)
        #expect(pipeline.counters.done == 1 && pipeline.counters.coalesced == 999)
    }

    @Test func `A full queue refuses at once`() async throws {
        var options = AvatarPipeline.Options()
        options.queue.depth = 1
        let pipeline = AvatarPipeline(cache: cache, options)
        pipeline.pause()
        pipeline.avatars(request(pipeline, 1)) { _ in }
        guard case .failure(let failure) = await avatars(pipeline, request(pipeline, 2)) else {
            Issue.record("not refused")
            return
        }
        #expect(failure.code == "queue-full" && failure.isTransient)
        pipeline.resume()
    }

    /// Asks for a few faces of photos that are opened once more, as `reopen` says, when their turn comes.
    private func crowd(
        reopening reopen: @escaping @Sendable (UInt8) -> PhotoFile
    ) async throws -> [Result<[Avatar], AvatarFailure>] {
        var options = AvatarPipeline.Options()
        options.queue.workers = 1
        let pipeline = AvatarPipeline(cache: nil, options)
        pipeline.pause()
        return await withTaskGroup { group in
            let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
            for shade in 1...4 as ClosedRange<UInt8> {
                var request = request(pipeline, shade)
                request.reopen = { reopen(shade) }
                group.addTask { [request] in
                    await withCheckedContinuation { done in
                        pipeline.avatars(request) { done.resume(returning: $0) }
                        continuation.yield()
                    }
                }
            }
            for await _ in begun where pipeline.counters.queued == 4 { break }
            pipeline.resume()
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func `A photo that waits for long is opened again when it is its turn`() async throws {
        let opened = Mutex(0)
        let results = try await crowd { shade in
            opened.withLock { $0 += 1 }
            return PhotoFile(copying: SmallBook.image(shade))
        }
        #expect(results.allSatisfy { (try? $0.get())?.count == 1 })
        #expect(opened.withLock { $0 } >= 1)
    }

    @Test func `A photo that was changed while it waited is not shown`() async throws {
        let results = try await crowd { _ in PhotoFile(copying: SmallBook.image(9)) }
        let failures = results.compactMap { result in if case .failure(let failure) = result { failure } else { nil } }
        #expect(!failures.isEmpty && failures.allSatisfy { $0.code == "photo-changed" && $0.isTransient })
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
            let result = await avatars(pipeline, AvatarRequest(PhotoFile(copying: broken), styles: styles))
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

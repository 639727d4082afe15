import Dispatch
import Synchronization
import Testing
import TondoJobs
import TondoTestSupport

@testable import TondoAvatars
@testable import TondoImage

/// A file server that does not respond.
@Suite(.timeLimit(.minutes(15))) struct HangingFolderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Lets the first opening hang until `release`.
    private final class Hang: Sendable {
        let openings = Atomic<Int>(0)
        let release = DispatchSemaphore(value: 0)

        func open() {
            if openings.wrappingAdd(1, ordering: .relaxed).oldValue == 0 { release.wait() }
        }
    }

    private func result(_ pipeline: AvatarPipeline, _ request: AvatarRequest) async -> String {
        let result = await withCheckedContinuation { done in pipeline.avatars(request) { done.resume(returning: $0) } }
        return switch result {
        case .success: "drawn"
        case .failure(let failure): failure.code
        }
    }

    @Test func `A photo that hangs takes one worker, and only photos of its folder fail`() async throws {
        let hang = Hang()
        var options = AvatarPipeline.Options()
        (options.queue.workers, options.timeout) = (1, .milliseconds(50))
        options.system.opening = { hang.open() }
        let pipeline = AvatarPipeline(cache: nil, options)
        let styles = pipeline.styles([Style(size: 16)])
        func request(_ name: String) throws -> AvatarRequest {
            AvatarRequest(.file(try folder.write(SmallBook.image(1), to: name)), styles: styles)
        }
        #expect(try await result(pipeline, request("slow/0.png")) == "job-timeout")
        // More than there are workers and spares.
        for number in 1..<10 { #expect(try await result(pipeline, request("slow/\(number).png")) == "job-timeout") }
        #expect(hang.openings.load(ordering: .relaxed) == 1)
        #expect(try await result(pipeline, request("fast/0.png")) == "drawn")
        hang.release.signal()
        #expect(try await eventually { try await result(pipeline, request("slow/0.png")) == "drawn" })
    }

    @Test func `A request whose photo is not opened after a while is reported as slow, a finished one is not`()
        async throws
    {
        let (hang, timers, slow) = (Hang(), Timers(), Timers())
        var options = AvatarPipeline.Options()
        options.system.opening = { hang.open() }
        options.system.after = { _, body in timers.add(body) }
        let pipeline = AvatarPipeline(cache: nil, options)
        let path = try folder.write(SmallBook.image(1), to: "a.png")
        let request = AvatarRequest(.file(path), styles: pipeline.styles([Style(size: 16)]))
        await withCheckedContinuation { done in
            pipeline.pause()
            pipeline.avatars(request, onSlow: { _ in slow.add {} }) { _ in done.resume() }
            timers.run()
            #expect(slow.count == 1)
            hang.release.signal()
            pipeline.resume()
        }
        let before = slow.count
        timers.run()
        #expect(slow.count == before)
    }

    /// Closures in their order.
    private final class Timers: Sendable {
        private let bodies = Mutex<[@Sendable () -> Void]>([])

        var count: Int { bodies.withLock { $0.count } }

        func add(_ body: @escaping @Sendable () -> Void) { bodies.withLock { $0.append(body) } }

        func run() { for body in bodies.withLock({ $0 }) { body() } }
    }
}

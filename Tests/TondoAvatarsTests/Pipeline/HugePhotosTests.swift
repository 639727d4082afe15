import CSandbox
import Foundation
import Testing
import TondoCache
import TondoImage
import TondoJobs
import TondoTestSupport

@testable import TondoAvatars
@testable import TondoRender

/// Photos of few bytes that stand for very many pixels, or for very much memory.
@Suite(.timeLimit(.minutes(15))) struct HugePhotosTests {
    private let book: SmallBook

    init() throws { book = try SmallBook() }

    private func pipeline(_ workers: RenderWorkers) -> AvatarPipeline {
        AvatarPipeline(cache: book.cache, WorkerSlots.options(workers))
    }

    private func failure(_ photo: [UInt8], _ pipeline: AvatarPipeline) async -> AvatarFailure? {
        let request = AvatarRequest(
            .bytes(PhotoFile(copying: photo)), styles: pipeline.styles([Style(size: 16)]))
        return await withCheckedContinuation { done in
            pipeline.avatars(request) { result in
                if case .failure(let failure) = result {
                    done.resume(returning: failure)
                } else {
                    done.resume(returning: nil)
                }
            }
        }
    }

    /// A GIF of this size whose one picture is of a pixel, or of the same size.
    private static func gif(_ width: Int, _ height: Int, isFull: Bool) -> [UInt8] {
        func number(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
        let screen = Array("GIF89a".utf8) + number(width) + number(height) + [0x80, 0, 0] + [0, 0, 0, 255, 255, 255]
        let picture = [0x2C, 0, 0, 0, 0] + (isFull ? number(width) + number(height) : number(1) + number(1)) + [0]
        return screen + picture + [2, 2, 0x44, 0x01, 0, 0x3B]
    }

    /// An AVIF that says so of itself (the box `ispe` of ISO/IEC 23008-12 section 6.5.3).
    private static func avif(_ width: UInt32, _ height: UInt32) throws -> [UInt8] {
        var file = try Repository.data("Tests/Fixtures/heif/avif-plain.avif")
        let box = try #require(file.range(of: Data("ispe".utf8)))
        let size = [width, height].flatMap { side in (0..<4).map { UInt8(truncatingIfNeeded: side >> (24 - 8 * $0)) } }
        file.replaceSubrange(box.upperBound + 4..<box.upperBound + 12, with: size)
        return [UInt8](file)
    }

    /// A WebP canvas of this size, with a small picture in its corner.
    private static func webP(_ width: Int, _ height: Int) throws -> [UInt8] {
        let picture = try [UInt8](
            Repository.data("Tests/Fixtures/decodes-like-reference/webp-lossy-quality-100.webp").dropFirst(12))
        func number(_ value: Int, _ bytes: Int) -> [UInt8] { (0..<bytes).map { UInt8(value >> (8 * $0) & 255) } }
        let canvas = Array("VP8X".utf8) + number(10, 4) + number(0, 4) + number(width - 1, 3) + number(height - 1, 3)
        return Array("RIFF".utf8) + number(4 + canvas.count + picture.count, 4) + Array("WEBP".utf8) + canvas + picture
    }

    @Test func `Pixels beyond the limits are one failure each, and end no worker`() async throws {
        let workers = try WorkerSlots.workers()
        let pipeline = pipeline(workers)
        let photos: [(photo: [UInt8], codes: Set<String>)] = [
            (Self.gif(65_535, 65_535, isFull: true), ["tooLarge"]), (Self.gif(65_535, 1, isFull: true), ["tooLarge"]),
            (Self.gif(60_000, 60_000, isFull: false), ["tooLarge"]), (try Self.avif(65_535, 65_535), ["tooLarge"]),
            (try Self.avif(.max, .max), ["tooLarge", "corrupt"]), (try Self.avif(60_000, 3_000), ["overMemory"]),
            (try Self.webP(1 << 24, 1 << 24), ["tooLarge", "corrupt"]),
            (try Self.webP(60_000, 60_000), ["tooLarge", "corrupt"]),
        ]
        for (photo, codes) in photos {
            let failure = await failure(photo, pipeline)
            #expect(codes.contains(failure?.code ?? "none"), "\(String(describing: failure))")
            #expect(failure?.retry == .never && failure?.isTransient == false)
        }
        #expect(workers.counters.started <= 2)
        #expect(workers.counters.crashed == 0 && workers.counters.killed == 0 && workers.counters.late == 0)
    }

    /// An AVIF whose header states a small picture, and whose data are larger: only the worker finds out.
    @Test func `A picture that is larger than its header states is one failure of its own`() async throws {
        let workers = try WorkerSlots.workers()
        let pipeline = pipeline(workers)
        let failure = await failure(try Self.avif(16, 16), pipeline)
        #expect(failure?.code == "corrupt" && failure?.retry == .never)
        #expect(workers.counters(of: .heif).started == 1 && workers.counters.crashed == 0)
    }

    @Test(
        .enabled(if: csandbox_is_complete() != 0, "a sanitizer's runtime needs the memory"), .enabled(if: isUnreserved))
    func `Data that make a decoder need more than its process may have are one failure, and remembered`() async throws {
        let workers = try WorkerSlots.workers()
        let pipeline = pipeline(workers)
        let failure = await failure(WebPBomb.bytes, pipeline)
        #expect(failure?.code == "overMemory" && failure?.retry == .never && failure?.isTransient == false)
        #expect(failure?.message == "over memory: decoding needs more than the limit of 512 MB allows")
        // One try, of a worker that goes on.
        #expect(workers.counters.started == 1 && workers.counters.running == 1 && workers.counters.crashed == 0)
        #expect(await self.failure(try AnyFormat.png.bytes, pipeline) == nil)
        let other = try WorkerSlots.workers()
        #expect(await self.failure(WebPBomb.bytes, self.pipeline(other))?.code == "overMemory")
        #expect(other.counters.started == 0)
    }

    /// The system refuses no memory that a process may have (overcommit_memory of proc_sys_vm(5)).
    private static let isUnreserved =
        (try? String(contentsOfFile: "/proc/sys/vm/overcommit_memory", encoding: .utf8))?.hasPrefix("2") != true
}

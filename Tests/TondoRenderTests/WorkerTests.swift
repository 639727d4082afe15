import Foundation
import Synchronization
import Testing
import TondoImage
import TondoTestSupport

@testable import TondoRender

/// Workers of the built program, or of the one with planted faults.
struct Workers {
    let workers: RenderWorkers
    let setup: RenderSetup

    init(
        _ program: String = "RenderFaults", styles: [Style] = [Style(size: 16), Style(size: 20)],
        limits: Limits = Limits(), _ change: (inout RenderWorkers.Options) -> Void = { _ in }
    ) throws {
        var options = RenderWorkers.Options(program: try BuiltProgram.path(program), limits: limits)
        change(&options)
        workers = RenderWorkers(options: options)
        setup = RenderSetup(styles: styles, limits: limits)
    }

    /// Without the version of Landlock, which depends on the kernel.
    var counts: RenderWorkers.Counters {
        var counters = workers.counters
        counters.landlock = 0
        return counters
    }

    var avatars: [RenderRequest.Avatar] {
        setup.styles.indices.map { .init(index: $0, keyword: "tondo-recipe", text: "style \($0)") }
    }

    struct Drawing: Equatable, CustomTestStringConvertible {
        var pngs: [[UInt8]] = []
        var warnings: [Warning] = []
        var error: RenderError?

        var testDescription: String {
            "\(pngs.map(\.count)) bytes, \(warnings), \(error.map { "\($0)" } ?? "no error")"
        }
    }

    func draw(
        _ photo: [UInt8], within limit: Duration? = .seconds(60), format: ImageHeader.Format = .jpeg
    ) -> Drawing {
        photo.withUnsafeBytes { draw(.bytes($0), within: limit, format: format) }
    }

    func draw(
        _ photo: RenderWorkers.Photo, within limit: Duration? = .seconds(60), format: ImageHeader.Format = .jpeg
    ) -> Drawing {
        var drawing = Drawing()
        do {
            drawing.warnings = try workers.draw(
                avatars, with: setup, of: photo, format: format, crop: nil, within: limit
            ) { png, _ in
                drawing.pngs.append(png)
            }.warnings
        } catch let error as RenderError { drawing.error = error } catch { Issue.record(error) }
        return drawing
    }

    /// What is drawn in this process.
    func expected(_ photo: [UInt8]) -> Drawing {
        var drawing = Drawing()
        do {
            drawing.warnings = try photo.withUnsafeBytes { bytes in
                try AvatarRenderer(styles: setup.styles, limits: setup.limits).encode(
                    Photo(bytes), styles: Array(setup.styles.indices),
                    text: { (keyword: "tondo-recipe", value: "style \($0)") }
                ) { png, _ in drawing.pngs.append(png) }.warnings
            }
        } catch let error as RenderError { drawing.error = error } catch { Issue.record(error) }
        return drawing
    }
}

@Suite struct WorkerTests {
    private let small: [UInt8]

    init() throws { small = try [UInt8](Repository.data(Repository.small)) }

    @Test func `A worker draws the same bytes`() throws {
        let workers = try Workers("tondo-render")
        #expect(workers.draw(small) == workers.expected(small))
        #expect(workers.draw(small).pngs.count == 2)
        #expect(workers.counts == .init(started: 1, running: 1))
    }

    @Test func `A worker reads a part of a file by its descriptor`() throws {
        let workers = try Workers("tondo-render")
        let folder = try TemporaryFolder()
        let path = folder.pathString + "/book"
        try (Data(repeating: 7, count: 1_000) + small + Data(repeating: 8, count: 50)).write(to: URL(filePath: path))
        let file = try #require(FileHandle(forReadingAtPath: path))
        let photo = RenderWorkers.Photo.file(file.fileDescriptor, offset: 1_000, count: small.count) { true }
        #expect(workers.draw(photo) == workers.expected(small))
    }

    @Test func `A file that changed while it was read gives no avatar`() throws {
        let workers = try Workers("tondo-render")
        let file = try #require(FileHandle(forReadingAtPath: Repository.path(Repository.small)))
        let photo = RenderWorkers.Photo.file(file.fileDescriptor, offset: 0, count: small.count) { false }
        #expect(throws: RenderWorkers.ChangedFile.self) {
            try workers.workers.draw(workers.avatars, with: workers.setup, of: photo, crop: nil, within: nil) { _, _ in
                Issue.record("an avatar of another photo")
            }
        }
    }

    @Test func `Idle workers are ended, and started again`() throws {
        let workers = try Workers("tondo-render")
        _ = workers.draw(small)
        workers.workers.endIdle()
        #expect(workers.workers.counters.running == 0)
        #expect(workers.draw(small).error == nil)
        #expect(workers.workers.counters.started == 2)
    }

    @Test func `A worker is replaced after some photos`() throws {
        let workers = try Workers("tondo-render") { $0.answers = 3 }
        for _ in 0..<7 { #expect(workers.draw(small).error == nil) }
        #expect(workers.counts == .init(started: 3, replaced: 2, running: 1))
    }

    @Test func `A worker that holds much memory is replaced`() throws {
        let workers = try Workers("tondo-render") { $0.held = 1 }
        for _ in 0..<2 { #expect(workers.draw(small).error == nil) }
        #expect(workers.counts == .init(started: 2, replaced: 2))
    }

    @Test func `A missing program is an error that is not the photo's`() throws {
        let workers = try Workers("no-such-program")
        guard case .noDecoder(let reason) = workers.draw(small).error?.error else {
            Issue.record("a photo was drawn without a worker")
            return
        }
        #expect(reason.hasSuffix("no-such-program: No such file or directory"))
        #expect(throws: WorkerFailure.self) { try workers.workers.prepare() }
    }

    @Test func `A program that is no worker is refused`() throws {
        let workers = try Workers("SandboxProbe")
        guard case .noDecoder = workers.draw(small).error?.error else {
            Issue.record("a photo was drawn without a worker")
            return
        }
    }

    @Test func `Several threads have a worker each`() throws {
        let workers = try Workers("tondo-render")
        let expected = workers.expected(small)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<20 { #expect(workers.draw(small) == expected) }
        }
        #expect((1...4).contains(workers.workers.counters.started))
    }

    /// `tondo convert` can ask for all sizes, scales and states at once.
    @Test func `A request may have every size, scale and state`() throws {
        let styles = (1...1024).flatMap { size in
            (1...3).flatMap { [Style(size: size, scale: $0), Style(size: size, scale: $0, state: .selected)] }
        }
        let setup = RenderSetup(styles: styles, limits: Limits())
        let avatars = styles.indices.map { RenderRequest.Avatar(index: $0, keyword: "k", text: "a") }
        let request = RenderRequest(setup: setup, avatars: avatars, crop: nil, source: .inBand(count: 1))
        #expect(request.bytes.count <= RenderRequest.longest && setup.bytes.count <= RenderSetup.longest)
        #expect(try RenderRequest(request.bytes) == request)
    }

    @Test func `More than a thousand avatars of one photo are drawn`() throws {
        let workers = try Workers("tondo-render", styles: (0..<1_100).map { Style(size: 4 + $0 % 7) })
        let drawing = workers.draw(small)
        #expect(drawing.pngs.count == 1_100 && drawing == workers.expected(small))
    }

    @Test func `When memory is short, the kernel ends a worker first`() throws {
        let folder = try TemporaryFolder()
        let victims = try Victims("tondo-first", in: folder)
        let workers = try Workers { $0.program = victims.path }
        try workers.workers.prepare()
        let process = try #require(victims.processes.first)
        #expect(try String(contentsOfFile: "/proc/\(process)/oom_score_adj", encoding: .utf8) == "1000\n")
    }

    /// Kilobytes that are the process's own.
    private func ownMemory(_ process: Int32) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)
        return try #require(text.firstMatch(of: /Private_Dirty: +(\d+)/).flatMap { Int($0.1) })
    }

    @Test func `A worker without work gives its memory back, and draws again`() throws {
        let folder = try TemporaryFolder()
        let victims = try Victims("tondo-idle", in: folder)
        // Less than malloc would return by itself.
        let workers = try Workers(styles: [Style(size: 1_024, scale: 2)]) { $0.program = victims.path }
        var expected = workers.draw(small)
        let end = ContinuousClock.now + .seconds(300)
        // A listing of all processes may miss one while others come and go. A worker that took too long was ended.
        var found = victims.processes.first
        while found == nil, ContinuousClock.now < end {
            expected = workers.draw(small)
            found = victims.processes.first
        }
        let process = try #require(found)
        let started = workers.counts.started
        var least = Int.max
        while least > 8_000, ContinuousClock.now < end {
            least = min(least, try ownMemory(process))
            usleep(50_000)
        }
        #expect(least <= 8_000)
        #expect(workers.draw(small) == expected)
        #expect(workers.counts.started == started)
    }
}

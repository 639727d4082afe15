import CSandbox
import PlantedFaults
import Synchronization
import SystemPackage
import Testing
import TondoImage
import TondoJobs
import TondoRender
import TondoTestSupport

@testable import TondoAvatars

@Suite struct ConversionRunTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for number in 10..<40 { try folder.write(SmallPhoto.bytes, to: "in/\(number).jpg") }
    }

    private func makeRun(jobs: Int = 1) throws -> ConversionRun {
        let inputs = try ConversionInputs([folder.path.appending("in")], recursive: false, output: nil).inputs
        let plan = try ConversionPlan(
            inputs: inputs, styles: [Style(size: 8)], target: .folder(folder.path.appending("out")))
        return ConversionRun(
            plan: plan, converter: Converter(styles: plan.styles, limits: Limits(), force: false, jobs: jobs))
    }

    @Test(arguments: [1, 2, 3, 8, 100])
    func `Results are reported in the order of the plan`(_ jobs: Int) throws {
        let stems = Stems()
        try makeRun(jobs: jobs).run { stems.add($0) }
        #expect(stems.all == (10..<40).map { FilePath("\($0)") })
    }

    @Test(arguments: [1, 2, 8])
    func `A stop starts no more photos and reports all that were started`(_ jobs: Int) throws {
        let run = try makeRun(jobs: jobs)
        let stems = Stems()
        run.run { result in
            stems.add(result)
            run.stop()
        }
        #expect(run.isInterrupted)
        #expect(stems.all.starts(with: [FilePath("10")]))
        #expect(try folder.names(in: "out") == stems.all.map { $0.string + ".png" })
    }

    @Test func `A stop before the start begins nothing`() throws {
        let run = try makeRun()
        run.stop()
        let stems = Stems()
        run.run { stems.add($0) }
        #expect(stems.all == [])
    }

    @Test func `One photo that fails does not stop the others`() throws {
        try folder.write(Array("BM....".utf8), to: "in/20.jpg")
        let stems = Stems()
        try makeRun(jobs: 2).run { stems.add($0) }
        #expect(stems.all.count == 30)
        #expect(try folder.names(in: "out").count == 29)
    }

    /// One job, a queue with room for one photo, and another photo in the socket of the one worker.
    @Test(.enabled(if: csandbox_is_complete() != 0, "a sanitizer's runtime needs the calls"))
    func `Photos that crash the one worker fail alone, and the others are as without it`() throws {
        let faulty = Set(stride(from: 11, to: 40, by: 4))
        for number in faulty {
            try folder.write(PlantedFault.segfault.added(to: SmallPhoto.bytes), to: "in/\(number).jpg")
        }
        let inputs = try ConversionInputs([folder.path.appending("in")], recursive: false, output: nil).inputs
        func convert(to output: String, _ workers: RenderWorkers?) throws -> [ConversionResult] {
            let plan = try ConversionPlan(
                inputs: inputs, styles: [Style(size: 8)], target: .folder(folder.path.appending(output)))
            let converter = Converter(
                styles: plan.styles, limits: Limits(), force: false, workers: workers
            ) { ($0.queue.depth, $0.queue.room) = (1, 1) }
            let results = Mutex<[ConversionResult]>([])
            ConversionRun(plan: plan, converter: converter).run { result in results.withLock { $0.append(result) } }
            return results.withLock { $0 }
        }
        var options = RenderWorkers.Options(program: try BuiltProgram.path("RenderFaults"))
        options.isAhead = true
        let workers = RenderWorkers(options: options)
        let results = try convert(to: "out", workers)
        #expect(results.map(\.input.stem) == (10..<40).map { FilePath("\($0)") })
        for (number, result) in zip(10..<40, results) {
            #expect(result.failure?.code == (faulty.contains(number) ? "decoder-crashed" : nil))
        }
        #expect(workers.counters.crashed == faulty.count && workers.counters.running <= 1)
        _ = try convert(to: "expected", nil)
        for name in try folder.names(in: "out") {
            #expect(try folder.bytes("out/" + name) == folder.bytes("expected/" + name))
        }
        #expect(try folder.names(in: "out").count == 30 - faulty.count)
    }

    @Test func `No photos are soon done`() throws {
        let plan = try ConversionPlan(inputs: [], styles: [Style(size: 8)], target: .folder("out"))
        let stems = Stems()
        ConversionRun(plan: plan, converter: Converter(styles: plan.styles, limits: Limits(), force: false))
            .run { stems.add($0) }
        #expect(stems.all == [])
    }
}

/// What was reported, in its order.
private final class Stems: Sendable {
    private let stems = Mutex<[FilePath]>([])

    var all: [FilePath] { stems.withLock { $0 } }

    func add(_ result: ConversionResult) { stems.withLock { $0.append(result.input.stem) } }
}

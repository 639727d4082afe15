import CSandbox
import PlantedFaults
import Testing
import TondoDrawText
import TondoImage
import TondoTestSupport

@testable import TondoRender

/// The workers of one kind with planted faults, behind the real supervisor.
private struct FaultyWorkers {
    let kind: WorkerKind
    private let workers: Workers

    init(_ kind: WorkerKind) throws {
        self.kind = kind
        workers = try Workers(limits: Self.smallLimits) {
            $0.programs = [
                .heif: (try? BuiltProgram.path("RenderFaultsHEIF")) ?? "",
                .text: (try? BuiltProgram.path("RenderFaultsText")) ?? "",
            ]
        }
        // So that a short deadline is the photo's alone.
        try workers.workers.prepare(kind)
    }

    var counters: RenderWorkers.Counters { workers.workers.counters(of: kind) }

    func error(_ fault: PlantedFault, within limit: Duration) -> ImageError? {
        let photo = kind == .text ? Self.initials(fault.letters) : Array("FAULT \(fault.rawValue)\n".utf8)
        return workers.draw(photo, within: limit, format: format).error?.error
    }

    /// A photo without a fault is drawn like by the program that is installed.
    func drawsAgain() throws {
        let photo = try photo()
        let drawing = workers.draw(photo, format: format)
        #expect(drawing.error == nil && drawing.pngs.count == 2)
        #expect(drawing == (try Workers("tondo-render", limits: Self.smallLimits)).draw(photo, format: format))
    }

    private var format: ImageHeader.Format {
        switch kind {
        case .standard: .jpeg
        case .heif: .heic
        case .text: .initials
        }
    }

    private func photo() throws -> [UInt8] {
        switch kind {
        case .standard: try [UInt8](Repository.data(Repository.small))
        case .heif: try [UInt8](Repository.data("Tests/Fixtures/heif/heic-plain.heic"))
        case .text: Self.initials("AO")
        }
    }

    private static func initials(_ text: String) -> [UInt8] {
        let white = RGBA(red: 255, green: 255, blue: 255)
        return InitialsDrawing(
            text: text, background: .selection, foreground: white, fonts: InitialsDrawer.digest(of: FontSet())
        ).encoded
    }

    /// So that a fault that allocates is soon at its end.
    private static var smallLimits: Limits {
        var limits = Limits()
        limits.maxMemory = 64_000_000
        return limits
    }
}

/// A decoder in the hands of the photo's author: each fault in each program.
@Suite(.enabled(if: csandbox_is_complete() != 0, "a sanitizer's runtime needs the calls"))
struct WorkerFaultTests {
    private static func faults(_ ending: PlantedFault.Ending) -> [PlantedFault] {
        PlantedFault.allCases.filter { $0.ending == ending }
    }

    @Test(arguments: WorkerKind.allCases, faults(.forbidden))
    func `A forbidden call costs its photo alone`(_ kind: WorkerKind, _ fault: PlantedFault) throws {
        try judge(kind, fault) { $0 == "signal \(SIGSYS), Bad system call" }
    }

    @Test(arguments: WorkerKind.allCases, faults(.crash))
    func `A crash costs its photo alone`(_ kind: WorkerKind, _ fault: PlantedFault) throws {
        try judge(kind, fault) { $0.hasPrefix("signal ") }
    }

    private static let reasons: [PlantedFault: String] = [
        .garbage: "it sent not a frame", .otherRequest: "it sent an answer to another request",
        .wrongAvatar: "it sent not an avatar", .hugeLength: "it sent a number out of its range",
        .close: "it closed its socket", .exit: "it ended with status 0",
    ]

    @Test(arguments: WorkerKind.allCases, faults(.wrongAnswer))
    func `A wrong answer costs its photo alone`(_ kind: WorkerKind, _ fault: PlantedFault) throws {
        try judge(kind, fault) { $0 == Self.reasons[fault] }
    }

    @Test(arguments: WorkerKind.allCases, faults(.late))
    func `What does not end is ended at the deadline, and costs its photo alone`(
        _ kind: WorkerKind, _ fault: PlantedFault
    ) throws {
        let workers = try FaultyWorkers(kind)
        #expect(workers.error(fault, within: .milliseconds(200)) == .timedOut)
        try workers.drawsAgain()
        #expect(workers.counters.late == 1 && workers.counters.started == 2 && workers.counters.running == 1)
    }

    @Test func `Every fault has its letters`() {
        for fault in PlantedFault.allCases {
            #expect(PlantedFault(askedForBy: Array("text=\(fault.letters)".utf8)) == fault)
            #expect(PlantedFault(askedForBy: Array("JPEG\nFAULT \(fault.rawValue)\n".utf8)) == fault)
        }
        #expect(PlantedFault(askedForBy: Array("text=AO".utf8)) == nil)
    }

    private func judge(_ kind: WorkerKind, _ fault: PlantedFault, _ isReason: (String) -> Bool) throws {
        let workers = try FaultyWorkers(kind)
        let error = workers.error(fault, within: .seconds(60))
        if case .decoderCrashed(let reason) = error {
            #expect(isReason(reason), "\(reason)")
            #expect(error?.code == "decoder-crashed")
        } else {
            Issue.record("\(fault) gave \(String(describing: error))")
        }
        try workers.drawsAgain()
        #expect(workers.counters.crashed == 1 && workers.counters.started == 2 && workers.counters.running == 1)
    }
}

#if canImport(Glibc)
    private import Glibc
#endif

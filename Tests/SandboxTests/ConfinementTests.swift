import CSandbox
import Foundation
import PlantedFaults
import Testing
import TondoTestSupport

/// A process of its own for each misdeed: what was confined stays so.
@Suite(.enabled(if: csandbox_is_complete() != 0, "a sanitizer's runtime needs the calls"))
struct ConfinementTests {
    private struct Ending: Equatable {
        var status: Int32
        var isSignal: Bool
        var output: String
    }

    private static func run(_ words: String...) throws -> Ending {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: try BuiltProgram.path("SandboxProbe"))
        (process.arguments, process.standardOutput) = (words, output)
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Ending(
            status: process.terminationStatus, isSignal: process.terminationReason == .uncaughtSignal, output: text)
    }

    @Test func `A confined process may compute and end`() throws {
        #expect(try Self.run("nothing") == Ending(status: 0, isSignal: false, output: ""))
    }

    @Test(arguments: PlantedFault.allCases.filter { $0.ending == .forbidden })
    func `A forbidden call ends the process`(misdeed: PlantedFault) throws {
        #expect(try Self.run(misdeed.rawValue) == Ending(status: SIGSYS, isSignal: true, output: ""))
    }

    @Test func `Memory is limited`() throws {
        let ending = try Self.run("allocate")
        #expect(ending.isSignal)
    }

    /// A filter of the service manager that hides a call must not lead to a process that goes on unconfined.
    @Test(arguments: [
        ("descriptors", "436"), ("landlock", "444"), ("landlock", "446"), ("seccomp", "\(Self.seccompCall)"),
    ])
    func `A layer that cannot be applied is named`(layer: String, call: String) throws {
        #expect(try Self.run("nothing", call) == Ending(status: 2, isSignal: false, output: "\(layer) \(EPERM)\n"))
    }

    #if arch(x86_64)
        private static let seccompCall = 317
    #else
        private static let seccompCall = 277
    #endif
}

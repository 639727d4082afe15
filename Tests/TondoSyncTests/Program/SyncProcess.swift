import Foundation
import Glibc
import SystemPackage
import TondoMirror
import TondoTestSupport

/// `tondo-sync` as a process of its own, with an order.
final class SyncProcess {
    private let process = Process()
    private let output = Pipe()
    let folder: TemporaryFolder

    /// `variables`: in addition to those of the test.
    init(
        _ trial: MirrorTrial, variables: [String: String] = [:], change: (inout SyncOrder) -> Void = { _ in }
    ) throws {
        folder = trial.folder
        var order = SyncOrder(.run, sources: [trial.source], folder: trial.folder.path)
        change(&order)
        let file = try trial.folder.write([UInt8](try JSONEncoder().encode(order)), to: "order.json")
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c", #"exec "$1" --order 9 9<"$2""#, "sh", try BuiltProgram.path("tondo-sync"), file.string,
        ]
        (process.standardOutput, process.standardError) = (output, output)
        process.standardInput = FileHandle.nullDevice
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        try process.run()
    }

    var id: pid_t { process.processIdentifier }

    func kill(_ signal: Int32) { _ = Glibc.kill(id, signal) }

    /// Its status, and all that it printed.
    func finish() -> (status: Int32, text: String) {
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    /// What other users of the machine can see of it, or could.
    static func visible(_ id: pid_t) -> String {
        ["cmdline", "environ", "comm", "status"].map { name in
            let data = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(id)/\(name)"))
            return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
        }.joined(separator: "\n")
    }
}

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

    /// `variables`: in addition to those of the test. `fromLoopback`: the program that takes photos from loopback instead.
    init(
        _ trial: MirrorTrial, variables: [String: String] = [:], fromLoopback: Bool = false,
        change: (inout SyncOrder) -> Void = { _ in }
    ) throws {
        folder = trial.folder
        var order = SyncOrder(action: .run, sources: [trial.source], folder: trial.folder.path)
        change(&order)
        let file = try trial.folder.write([UInt8](try JSONEncoder().encode(order)), to: "order.json")
        if fromLoopback {
            process.executableURL = URL(fileURLWithPath: try BuiltProgram.path("SyncFromLoopback"))
            process.arguments = [file.string]
        } else {
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = [
                "-c", #"exec "$1" --order 9 9<"$2""#, "sh", try BuiltProgram.path("tondo-sync"), file.string,
            ]
        }
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

/// Moments at which tests kill a run: as many as `TONDO_KILL_POINTS` names, spread over its duration.
struct KillPoints {
    static let count = ProcessInfo.processInfo.environment["TONDO_KILL_POINTS"].flatMap { Int($0) } ?? 40

    private let duration: Double
    private var random = SplitMix64(17)

    /// `run`: a whole one, whose time is taken.
    init(_ run: () throws -> Void) rethrows {
        let start = ContinuousClock.now
        try run()
        duration = (ContinuousClock.now - start) / .microseconds(1)
    }

    /// Kills a process somewhere within the part of its run that is this point's.
    mutating func kill(_ process: SyncProcess, at point: Int) {
        let place = (Double(point) + Double.random(in: 0..<1, using: &random)) / Double(Self.count)
        usleep(UInt32(duration * place))
        process.kill(SIGKILL)
        _ = process.finish()
    }
}

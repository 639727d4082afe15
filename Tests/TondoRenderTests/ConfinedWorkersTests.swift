import CSandbox
import Foundation
import Testing
import TondoTestSupport

@testable import TondoRender

/// The installed programs, as the kernel describes them once they are ready for a photo.
@Suite(.enabled(if: csandbox_is_complete() != 0, "a sanitizer's runtime needs the calls"))
struct ConfinedWorkersTests {
    private static let memory = 1 << 30

    private func start(_ kind: WorkerKind) throws -> WorkerProcess {
        try WorkerProcess(program: BuiltProgram.path(kind.program), memory: Self.memory, within: .seconds(300))
    }

    private func lines(_ file: String, of process: WorkerProcess) throws -> [String] {
        // In parts: the kernel gives a page of such a file at a time.
        let file = try #require(FileHandle(forReadingAtPath: "/proc/\(process.process)/\(file)"))
        let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        return text.split(separator: "\n").map { $0.split { $0.isWhitespace }.joined(separator: " ") }
    }

    @Test(arguments: WorkerKind.allCases)
    func `A worker has a filter of calls, no new privileges and one thread before its first photo`(_ kind: WorkerKind)
        throws
    {
        let status = try lines("status", of: start(kind))
        for line in ["Seccomp: 2", "NoNewPrivs: 1", "Threads: 1"] { #expect(status.contains(line), "\(line)") }
    }

    @Test(arguments: WorkerKind.allCases)
    func `A worker has its limits, which it cannot raise`(_ kind: WorkerKind) throws {
        let limits = try lines("limits", of: start(kind))
        for line in [
            "Max address space \(Self.memory) \(Self.memory) bytes", "Max file size 0 0 bytes",
            "Max core file size 0 0 bytes", "Max processes 0 0 processes", "Max open files 64 64 files",
            "Max cpu time 3600 3600 seconds",
        ] { #expect(limits.contains(line), "\(line)") }
    }

    @Test(arguments: WorkerKind.allCases)
    func `A worker has one socket, nothing else open, and no environment`(_ kind: WorkerKind) throws {
        let process = try start(kind)
        let folder = "/proc/\(process.process)/fd"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        let ends = try files.map { try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + $0) }
        #expect(files == ["0", "1", "2", "3"])
        #expect(ends.dropLast().allSatisfy { $0 == "/dev/null" } && ends.last?.hasPrefix("socket:") == true, "\(ends)")
        #expect(try lines("environ", of: process) == [])
    }

    @Test(arguments: WorkerKind.allCases)
    func `A worker has no memory that it can write and run`(_ kind: WorkerKind) throws {
        let rights = try lines("maps", of: start(kind)).compactMap { $0.split(separator: " ").dropFirst().first }
        #expect(!rights.isEmpty && !rights.contains { $0.contains("w") && $0.contains("x") })
    }
}

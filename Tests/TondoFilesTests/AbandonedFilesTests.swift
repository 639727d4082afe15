import Foundation
import SystemPackage
import Testing
import TondoTestSupport

@testable import TondoFiles

/// Temporary files of killed processes are removed, and those of living ones are not.
@Suite struct AbandonedFilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The number of a process that has ended.
    private static func endedProcess() throws -> pid_t {
        let process = try Process.run(URL(fileURLWithPath: "/bin/true"), arguments: [])
        process.waitUntilExit()
        return process.processIdentifier
    }

    @Test func `A file whose owner was killed is removed`() throws {
        try folder.write([1], to: ".tondo-\(try Self.endedProcess())-7.tmp")
        // An earlier process had the number of this one.
        try folder.write([1], to: ".tondo-\(getpid())-999999999.tmp")
        AtomicFile.clear(folder.path)
        #expect(try folder.names().isEmpty)
    }

    @Test func `A file that this process writes stays`() throws {
        let path = folder.path.appending("a.png")
        try AtomicFile.write(to: path) { file in
            AtomicFile.clear(folder.path)
            #expect(try folder.names().count == 1)
            _ = try file.writeAll([1])
        }
        #expect(try folder.names() == ["a.png"])
    }

    @Test func `A file whose owner lives stays`() throws {
        let name = ".tondo-\(getppid())-1.tmp"
        try folder.write([1], to: name)
        AtomicFile.clear(folder.path)
        #expect(try folder.names() == [name])
    }

    /// In a container, say, whose processes have other numbers here.
    @Test func `A file that another process has locked stays`() throws {
        let name = ".tondo-\(try Self.endedProcess())-1.tmp"
        let path = try folder.write([1], to: name)
        let claim = TemporaryClaim(path)
        AtomicFile.clear(folder.path)
        #expect(try folder.names() == [name])
        claim.end()
        AtomicFile.clear(folder.path)
        #expect(try folder.names().isEmpty)
    }

    @Test func `A file is locked until it has its name`() throws {
        let path = folder.path.appending("a.png")
        try AtomicFile.write(to: path, permissions: .ownerReadWrite) {
            _ = try $0.writeAll([1])
        } install: { temporary in
            #expect(!TemporaryClaim.isFree(temporary))
            try AtomicFile.rename(temporary, to: path)
        }
        #expect(TemporaryClaim.isFree(path))
    }

    @Test(arguments: [".tondo-1.tmp", ".tondo-x-1.tmp", ".tondo-0-1.tmp", "tondo-9-1.tmp", ".tondo-9-1-2.tmp", "a.tmp"])
    func `Files with other names stay`(name: String) throws {
        try folder.write([1], to: name)
        AtomicFile.clear(folder.path)
        #expect(try folder.names() == [name])
    }

    @Test func `A file with marks is removed where nothing is lost with it`() throws {
        let process = try Self.endedProcess()
        for number in 1...2 { try folder.write([1], to: ".tondo-\(process)-\(number)-ab-cd.tmp") }
        AtomicFile.clear(folder.path) { marks, path in
            marks == ["ab", "cd"] && path.lastComponent?.string.contains("-1-") == true
        }
        #expect(try folder.names() == [".tondo-\(process)-2-ab-cd.tmp"])
    }

    @Test func `Links and folders stay`() throws {
        let process = try Self.endedProcess()
        try folder.makeFolder(".tondo-\(process)-1.tmp")
        try folder.link(".tondo-\(process)-2.tmp", to: "/etc/passwd")
        AtomicFile.clear(folder.path)
        #expect(try folder.names().count == 2)
    }
}

import Foundation
import Glibc
import SystemPackage
import Testing
import TondoTestSupport

@testable import TondoFiles

@Suite struct AtomicFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `Missing folders are made`() throws {
        try AtomicFile.write([1, 2, 3], to: folder.path.appending("a/b/c.png"))
        #expect(try folder.bytes("a/b/c.png") == [1, 2, 3])
        #expect(try folder.names(in: "a/b") == ["c.png"])
    }

    @Test func `A file is replaced whole, and who has the old one open keeps it`() throws {
        let path = try folder.write([9, 9, 9, 9], to: "a.png")
        let old = try FileHandle(forReadingFrom: URL(fileURLWithPath: path.string))
        try AtomicFile.write([1], to: path)
        #expect(try folder.bytes("a.png") == [1])
        #expect(try old.readToEnd() == Data([9, 9, 9, 9]))
        #expect(try folder.names() == ["a.png"])
    }

    @Test func `A link is replaced, not followed`() throws {
        try folder.write([9], to: "source.png")
        try folder.link("a.png", to: "source.png")
        try AtomicFile.write([1], to: folder.path.appending("a.png"))
        #expect(try folder.bytes("source.png") == [9])
        #expect(try folder.bytes("a.png") == [1])
    }

    @Test func `An output has the rights that the umask leaves, and a replaced one keeps its own`() throws {
        // The umask is the process's, so it is read from a file that is made as any other.
        let plain = Glibc.open(folder.path.appending("plain").string, O_CREAT | O_WRONLY, 0o666)
        #expect(plain >= 0 && close(plain) == 0)
        let path = folder.path.appending("a.png")
        func write() throws -> UInt32? {
            try AtomicFile.output(to: path) { _ = try $0.writeAll([1]) }
            return FileStatus(path)?.mode
        }
        #expect(try write() == FileStatus(folder.path.appending("plain"))?.mode)
        for mode in [0o600, 0o664, 0o440] as [UInt32] {
            #expect(chmod(path.string, mode) == 0)
            #expect(try write() == mode)
        }
    }

    @Test func `A file that a person names is replaced at the end of links`() throws {
        try folder.write([9], to: "source.png")
        try folder.link("a.png", to: "source.png")
        try AtomicFile.writeThrough(to: folder.path.appending("a.png")) { _ = try $0.writeAll([1]) }
        #expect(try folder.bytes("source.png") == [1])
        #expect(FileStatus(folder.path.appending("a.png"), followingLinks: false)?.kind == .link)
    }

    @Test func `A pipe that a person names is written to`() throws {
        let pipe = folder.path.appending("pipe")
        #expect(mkfifo(pipe.string, 0o600) == 0)
        // Both ends at once: neither waits for the other.
        let ends = try FileDescriptor.open(pipe, .readWrite, options: [.nonBlocking, .closeOnExec])
        defer { try? ends.close() }
        try AtomicFile.writeThrough(to: pipe) { _ = try $0.writeAll([1, 2]) }
        #expect(FileStatus(pipe)?.kind == .other)
        var bytes: [UInt8] = [0, 0, 0]
        #expect(try bytes.withUnsafeMutableBytes { try ends.read(into: $0) } == 2 && bytes == [1, 2, 0])
    }

    @Test func `What the file system cannot flush is no error, and any other failure is one`() throws {
        let device = try FileDescriptor.open("/dev/null", .writeOnly, options: .closeOnExec)
        try AtomicFile.synchronise(device)
        try AtomicFile.synchroniseBytes(device)
        try device.synchronize()
        let none = FileDescriptor(rawValue: -1)
        #expect(throws: Errno.badFileDescriptor) { try AtomicFile.synchronise(none) }
        #expect(throws: Errno.badFileDescriptor) { try AtomicFile.synchroniseBytes(none) }
    }

    @Test func `A name that is taken by a folder fails and leaves nothing behind`() throws {
        try folder.makeFolder("a.png")
        #expect(throws: FileError(.write, path: folder.path.appending("a.png"), errno: .isDirectory)) {
            try AtomicFile.write([1], to: folder.path.appending("a.png"))
        }
        #expect(try folder.names() == ["a.png"])
    }

    @Test func `A file in place of a folder is named`() throws {
        try folder.write([1], to: "file")
        #expect(throws: FileError(.write, path: folder.path.appending("file/a.png"), errno: .notDirectory)) {
            try AtomicFile.write([1], to: folder.path.appending("file/a.png"))
        }
    }

    @Test func `A name that is too long fails and leaves nothing behind`() throws {
        let path = folder.path.appending(String(repeating: "n", count: 300))
        #expect(throws: FileError(.write, path: path, errno: .fileNameTooLong)) { try AtomicFile.write([1], to: path) }
        #expect(try folder.names() == [])
    }

    @Test func `What a killed process left behind is passed over`() throws {
        let leftovers = (0..<1000).map { ".tondo-\(ProcessInfo.processInfo.processIdentifier)-\($0).tmp" }
        for name in leftovers { try folder.write([], to: name) }
        try AtomicFile.write([1], to: folder.path.appending("a.png"))
        #expect(try Set(folder.names()) == Set(leftovers + ["a.png"]))
    }

    @Test func `Many threads write one name and one of them wins whole`() async throws {
        let path = folder.path.appending("a.png")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                group.addTask { try AtomicFile.write([UInt8](repeating: UInt8(number), count: 10_000), to: path) }
            }
            try await group.waitForAll()
        }
        #expect(try Set(folder.bytes("a.png")).count == 1)
        #expect(try folder.bytes("a.png").count == 10_000)
        #expect(try folder.names() == ["a.png"])
    }
}

import Dispatch
import Foundation
import SystemPackage
import Testing
import TondoTestSupport

@testable import TondoFiles

@Suite struct LockedFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func append(_ line: String, to name: String) throws {
        let file = try LockedFile(folder.path.appending(name))
        try file.replace(with: file.bytes + Array("\(line)\n".utf8))
    }

    @Test func `Of many writers at a time none loses the line of another`() throws {
        let failed = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 16) { number in
            do { try append("\(number)", to: "new/tondo.toml") } catch { failed.withLock { $0 += 1 } }
        }
        let lines = String(decoding: try folder.data("new/tondo.toml"), as: UTF8.self).split(separator: "\n")
        #expect(failed.withLock { $0 } == 0 && Set(lines) == Set((0..<16).map { "\($0)" }) && lines.count == 16)
        #expect(try folder.names(in: "new") == ["tondo.toml"])
    }

    @Test func `A link stays, and the file at its end changes`() throws {
        try folder.makeFolder("store")
        try folder.link("tondo.toml", to: "store/real.toml")
        for line in ["a", "b"] { try append(line, to: "tondo.toml") }
        #expect(try folder.data("store/real.toml") == Data("a\nb\n".utf8))
        #expect(folder.path.appending("tondo.toml").linkTarget == "store/real.toml")
    }

    @Test func `Permissions stay`() throws {
        _ = try folder.write("a\n", to: "t.toml", mode: 0o640)
        try append("b", to: "t.toml")
        #expect(FileStatus(folder.path.appending("t.toml"))?.mode == 0o640)
    }

    @Test func `A change by a program without a lock is not overwritten`() throws {
        _ = try folder.write("a\n", to: "t.toml")
        let path = folder.path.appending("t.toml")
        let file = try LockedFile(path)
        try AtomicFile.write(Array("theirs\n".utf8), to: path)
        #expect(throws: FileError(.write, path: path.real ?? path, errno: .resourceBusy)) {
            try file.replace(with: [1])
        }
        #expect(try folder.data("t.toml") == Data("theirs\n".utf8))
    }

    @Test func `A file that is locked for longer than the wait is an error`() throws {
        let path = folder.path.appending("t.toml")
        let first = try LockedFile(path)
        #expect(throws: FileError(.read, path: path, errno: .timedOut)) {
            try LockedFile(path, within: .milliseconds(1))
        }
        try first.replace(with: [1])
        #expect(try folder.data("t.toml") == Data([1]))
    }

    @Test func `A file that was missing and is not replaced is removed again`() throws {
        let path = folder.path.appending("t.toml")
        _ = try LockedFile(path)
        #expect(try folder.names() == [])
        try folder.write("", to: "t.toml")
        _ = try LockedFile(path)
        #expect(try folder.names() == ["t.toml"])
    }

    @Test func `What is no file is refused`() throws {
        try folder.makeFolder("folder")
        #expect(throws: FileError.self) { try LockedFile(folder.path.appending("folder")) }
    }

    @Test func `A path is followed to the end of its links, which need not exist`() throws {
        try folder.makeFolder("a")
        try folder.link("one", to: "a/two")
        try folder.link("a/two", to: "../three")
        #expect(folder.path.appending("one").followed == folder.path.appending("a").appending("../three"))
        #expect(folder.path.appending("none").followed == folder.path.appending("none"))
        try folder.link("round", to: "round")
        #expect(folder.path.appending("round").followed == folder.path.appending("round"))
    }
}

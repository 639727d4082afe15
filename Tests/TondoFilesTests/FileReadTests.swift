import Foundation
import Glibc
import SystemPackage
import Testing
import TondoTestSupport

@testable import TondoFiles

/// Files and pipes that are read whole.
@Suite(.timeLimit(.minutes(15))) struct FileReadTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ count: Int, _ name: String = "file") throws -> (FilePath, [UInt8]) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        return (try folder.write(bytes, to: name), bytes)
    }

    @Test(arguments: [0, 1, 4_095, 4_096, 4_097, 100_000])
    func `A file is read whole, whatever its size`(_ count: Int) throws {
        let (path, bytes) = try file(count)
        #expect(try path.contents(limit: 100_000) == bytes)
        let open = try FileDescriptor.open(path, .readOnly)
        #expect(try open.closeAfter { try open.readAll(expecting: 10, limit: .max) } == bytes)
    }

    @Test func `A file of as many bytes as the limit is read, and one of more is refused`() throws {
        let (path, bytes) = try file(5_000)
        #expect(try path.contents(limit: 5_000) == bytes)
        #expect(throws: Errno.fileTooLarge) { try path.contents(limit: 4_999) }
        let open = try FileDescriptor.open(path, .readOnly)
        defer { try? open.close() }
        #expect(throws: Errno.fileTooLarge) { try open.readAll(limit: 4_999) }
    }

    @Test func `A pipe is read to its end in the parts that come`() throws {
        let (output, input) = try FileDescriptor.pipe()
        let bytes = [UInt8](repeating: 7, count: 200_000)
        let writer = Thread {
            for start in stride(from: 0, to: bytes.count, by: 999) {
                _ = try? input.writeAll(bytes[start..<min(start + 999, bytes.count)])
            }
            try? input.close()
        }
        writer.start()
        #expect(try output.closeAfter { try output.readAll(limit: 1 << 20) } == bytes)
    }

    @Test func `A file of the kernel, which says that it has no bytes, is read`() throws {
        let open = try FileDescriptor.open("/proc/self/status", .readOnly)
        let bytes = try open.closeAfter { try open.readAll(limit: 1 << 20) }
        #expect(String(decoding: bytes, as: UTF8.self).contains("Name:"))
    }

    @Test func `The first bytes end where the file ends`() throws {
        let (path, bytes) = try file(10)
        let open = try FileDescriptor.open(path, .readOnly)
        defer { try? open.close() }
        #expect(try open.readPrefix(4) == Array(bytes[..<4]))
        #expect(try open.readPrefix(100) == Array(bytes[4...]))
        #expect(try open.readPrefix(100).isEmpty)
    }

    @Test
    func `A folder and a pipe without a writer are refused at once, and so is a link where links are not followed`()
        throws
    {
        #expect(throws: Errno.isDirectory) { try folder.path.contents(limit: 100) }
        let pipe = folder.path.appending("pipe")
        #expect(mkfifo(pipe.string, 0o600) == 0)
        #expect(throws: Errno.invalidArgument) { try pipe.contents(limit: 100) }
        let (path, bytes) = try file(3)
        let link = folder.path.appending("link")
        #expect(symlink(path.string, link.string) == 0)
        #expect(try link.contents(limit: 100) == bytes)
        #expect(throws: Errno.tooManySymbolicLinkLevels) { try link.contents(limit: 100, followingLinks: false) }
    }
}

import Dispatch
import Glibc
import SystemPackage
import Testing
import TondoFiles
import TondoImage
import TondoTestSupport

@testable import TondoAvatars

@Suite struct PhotoFileTests {
    private let folder: TemporaryFolder
    private let limit = 512_000_000
    /// Large enough to be mapped; what follows the picture does not matter.
    private let large = SmallPhoto.bytes + [UInt8](repeating: 0, count: 17 << 20)

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 200_000])
    func `A file of any length is read whole`(_ count: Int) throws {
        let bytes = [0xFF, 0xD8].prefix(count) + (0..<max(0, count - 2)).map { UInt8(truncatingIfNeeded: $0) }
        let file = try PhotoFile.open(folder.write(Array(bytes), to: "a.jpg"), limit: limit)
        #expect(file.array == Array(bytes))
        #expect(!file.isMapped)
    }

    @Test func `A missing file is named`() throws {
        let path = folder.path.appending("gone.jpg")
        #expect(throws: FileError(.read, path, .noSuchFileOrDirectory)) { try PhotoFile.open(path, limit: limit) }
    }

    @Test func `A folder is no photo`() throws {
        #expect(throws: FileError(.read, folder.path, .isDirectory)) { try PhotoFile.open(folder.path, limit: limit) }
    }

    @Test func `A pipe is read to its end`() throws {
        let path = folder.path.appending("pipe.jpg")
        #expect(mkfifo(path.string, 0o600) == 0)
        let bytes = SmallPhoto.bytes
        DispatchQueue.global().async {
            guard let pipe = try? FileDescriptor.open(path, .writeOnly) else { return }
            _ = try? pipe.closeAfter { try pipe.writeAll(bytes) }
        }
        #expect(try PhotoFile.open(path, limit: limit).array == bytes)
    }

    @Test func `A file above the limit is refused with the limit`() throws {
        let bytes = SmallPhoto.bytes + [UInt8](repeating: 0, count: 2_000_000)
        let path = try folder.write(bytes, to: "a.jpg")
        let error = ImageError.overMemory(needed: bytes.count, limit: 1_000_000)
        #expect(throws: RenderError(stage: .limits, error: error)) {
            try PhotoFile.open(path, limit: 1_000_000)
        }
    }

    @Test(.enabled(if: Lease.isGranted, "no leases on this file system"))
    func `A large file is mapped and its bytes are whole`() throws {
        let path = try folder.write(large, to: "a.jpg")
        Lease.wait(for: path.string)
        let file = try PhotoFile.open(path, limit: 1_000_000)
        #expect(file.isMapped)
        #expect(file.array == large)
        var parts: [UInt8] = []
        file.forEachPart { parts += $0 }
        #expect(parts == large)
    }

    @Test func `A mapped file is given back with its last owner`() throws {
        let path = try folder.write(large, to: "a.jpg")
        do { _ = try PhotoFile.open(path, limit: limit) }
        // While a lease is held this would be refused.
        let writer = try FileDescriptor.open(path, .readWrite, options: [.nonBlocking])
        try writer.close()
    }

    @Test(.enabled(if: Lease.isGranted, "no leases on this file system"))
    func `A writer waits while a file is mapped and does not end the program`() throws {
        let path = try folder.write(large, to: "a.jpg")
        Lease.wait(for: path.string)
        let file = try PhotoFile.open(path, limit: limit)
        #expect(file.isMapped)
        #expect(throws: Errno.wouldBlock) {
            try FileDescriptor.open(path, .readWrite, options: [.nonBlocking]).close()
        }
        #expect(file.bytes.last == 0)
    }

    @Test func `A file that is open for writing is read instead of mapped`() throws {
        let path = try folder.write(large, to: "a.jpg")
        let writer = try FileDescriptor.open(path, .readWrite)
        let file = try PhotoFile.open(path, limit: limit)
        try writer.close()
        #expect(!file.isMapped)
        #expect(file.array == large)
    }

    @Test(arguments: [100_000, 17 << 20])
    func `A video is refused by its first bytes`(_ count: Int) throws {
        let head = [0, 0, 0, 24] + Array("ftypisom".utf8)
        let path = try folder.write(head + [UInt8](repeating: 0, count: count), to: "a.mov")
        #expect(throws: RenderError(stage: .probe, error: .notAnImage("ISO media file"))) {
            try PhotoFile.open(path, limit: 50_000)
        }
    }

    @Test func `The first look distinguishes photos from other files and harms no pipe`() throws {
        try folder.write(SmallPhoto.bytes, to: "a.jpg")
        try folder.write(Array("a note".utf8), to: "a.txt")
        try folder.write([], to: "empty")
        #expect(mkfifo(folder.path.string + "/pipe", 0o600) == 0)
        let looks = ["a.jpg", "a.txt", "empty", "pipe", "gone"].map { PhotoFile.maybePhoto(folder.path.appending($0)) }
        #expect(looks == [true, false, false, true, true])
    }
}

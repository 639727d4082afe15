import Dispatch
import Glibc
import SystemPackage
import Testing
import TondoDigest
import TondoFiles
import TondoImage
import TondoRender
import TondoTestSupport

@testable import TondoAvatars

@Suite struct PhotoFileTests {
    private let folder: TemporaryFolder
    private let limit = 512_000_000
    /// What follows the picture does not matter.
    private let large = SmallPhoto.bytes + [UInt8](repeating: 0, count: 17 << 20)

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 200_000, 8_388_607, 8_388_608])
    func `A file of any length is read whole`(_ count: Int) throws {
        let bytes = [0xFF, 0xD8].prefix(count) + (0..<max(0, count - 2)).map { UInt8(truncatingIfNeeded: $0) }
        let file = try PhotoFile.open(folder.write(Array(bytes), to: "a.jpg"), limit: limit)
        #expect(file.array == Array(bytes))
    }

    @Test func `A file is passed on unless a change could go unnoticed`() throws {
        let file = try FileDescriptor.open(folder.write(SmallPhoto.bytes, to: "a.jpg"), .readWrite)
        defer { try? file.close() }
        #expect(PhotoHandle(duplicating: file, count: 9) == nil)
        try file.seek(offset: 5, from: .start)
        let later = Int64.nanosecondsSince1970 + 60_000_000_000
        let handle = try #require(PhotoHandle(duplicating: file, count: 1 << 20, now: later))
        #expect((handle.offset, handle.count) == (5, SmallPhoto.bytes.count - 5))
        #expect(handle.isUnchanged)
        try file.seek(offset: 0, from: .end)
        try file.writeAll([0])
        #expect(!handle.isUnchanged)
    }

    @Test func `A shared file has the digest and the header of a read one`() throws {
        let bytes = SmallPhoto.bytes + (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let file = try FileDescriptor.open(folder.write(bytes, to: "a.jpg"), .readWrite)
        defer { try? file.close() }
        let later = Int64.nanosecondsSince1970 + 60_000_000_000
        let handle = try #require(PhotoHandle(duplicating: file, count: bytes.count, now: later))
        let found = try #require(handle.probe())
        #expect(found.digest == SHA256Digest(PhotoFile(copying: bytes)))
        #expect(try found.geometry == bytes.withUnsafeBytes { try PhotoGeometry(probing: $0) })
        try file.resize(to: 600_000)
        #expect(handle.probe() == nil)
    }

    /// A worker would wait for a photo that is neither. The files have not changed lately, unlike new ones.
    @Test(arguments: ["ada.jpg", "farid.png"])
    func `A file is passed on if it is not sent while the worker draws another one`(_ name: String) throws {
        let path = FilePath(Repository.path("assets/samples/\(name)"))
        let size = try #require(FileStatus(path)).size
        let isPassedOn = try PhotoFile.open(path, limit: limit).handle != nil
        #expect(isPassedOn == (name == "ada.jpg") && isPassedOn == (size >= RenderWorkers.mostSentAhead))
    }

    @Test func `A large file is passed on as its private copy`() throws {
        let path = try folder.write(large, to: "a.jpg")
        let handle = try #require(try PhotoFile.open(path, limit: limit).handle)
        try FileDescriptor.open(path, .readWrite, options: [.truncate]).close()
        #expect(handle.isUnchanged && handle.count == large.count)
        var start = [UInt8](repeating: 0, count: 100)
        let count = try start.withUnsafeMutableBytes { try handle.file.read(fromAbsoluteOffset: 0, into: $0) }
        #expect(start[..<count] == large[..<100])
    }

    @Test func `A missing file is named`() throws {
        let path = folder.path.appending("gone.jpg")
        #expect(throws: FileError(.read, path: path, errno: .noSuchFileOrDirectory)) {
            try PhotoFile.open(path, limit: limit)
        }
    }

    @Test func `A folder is no photo`() throws {
        #expect(throws: FileError(.read, path: folder.path, errno: .isDirectory)) {
            try PhotoFile.open(folder.path, limit: limit)
        }
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

    @Test func `A file that is cut short after it was read keeps its bytes`() throws {
        let path = try folder.write(large, to: "a.jpg")
        let file = try PhotoFile.open(path, limit: limit)
        let writer = try FileDescriptor.open(path, .readWrite, options: [.nonBlocking, .truncate])
        try writer.close()
        #expect(file.array == large)
    }

    @Test func `The pages of a copied photo are released behind the decoder and its avatar is the same`() throws {
        let comment = [0xFF, 0xFE, 0xFF, 0xFF] + [UInt8](repeating: 0x20, count: 65_533)
        let photo = SmallPhoto.bytes[..<2] + (0..<130).flatMap { _ in comment } + SmallPhoto.bytes[2...]
        let copied = try PhotoFile.open(folder.write(Array(photo), to: "a.jpg"), limit: limit)
        let inMemory = PhotoFile(copying: Array(photo))
        #expect(copied.isMapped && !inMemory.isMapped)
        #expect(SHA256Digest(copied) == SHA256Digest(inMemory))
        let renderer = AvatarRenderer(styles: [Style(size: 64)], limits: Limits())
        func avatar(_ file: PhotoFile) throws -> [UInt8] {
            var pixels: [UInt8] = []
            _ = try renderer.draw(Photo(file.bytes, isMapped: file.isMapped), styles: [0]) { canvas, _ in
                pixels = Array(canvas.bytes)
            }
            return pixels
        }
        let drawn = try [copied, copied, inMemory].map { try avatar($0) }
        #expect(drawn[0] == drawn[1] && drawn[0] == drawn[2] && !drawn[0].isEmpty)
    }

    @Test(arguments: [100_000, 17 << 20])
    func `A video is refused by its first bytes`(_ count: Int) throws {
        let head = [0, 0, 0, 24] + Array("ftypisom".utf8)
        let path = try folder.write(head + [UInt8](repeating: 0, count: count), to: "a.mov")
        #expect(throws: RenderError(stage: .probe, error: .notAnImage("video or sound (MP4, QuickTime)"))) {
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

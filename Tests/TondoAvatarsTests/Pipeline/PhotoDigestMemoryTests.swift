import Foundation
import Glibc
import Synchronization
import SystemPackage
import Testing
import TondoCache
import TondoImage
import TondoTestSupport

@testable import TondoAvatars

/// Digests that are remembered by the identity of a file.
@Suite struct PhotoDigestMemoryTests {
    private let folder: TemporaryFolder
    private let cache: AvatarCache
    private let path: FilePath

    init() throws {
        folder = try TemporaryFolder()
        cache = try AvatarCache(folder.path.appending("cache"))
        path = try folder.write(SmallBook.image(1), to: "photo.png")
    }

    /// `age`: seconds that have passed since now.
    private func probe(_ cache: AvatarCache? = nil, age: Int64 = 60) throws -> ProbedPhoto {
        let now = Int64.nanosecondsSince1970 + age * 1_000_000_000
        return try ProbedPhoto(source: .file(path), cache: cache ?? self.cache, limit: 1 << 20, now: now)
    }

    /// Bytes that the process has read from files so far.
    private var bytesRead: Int {
        get throws {
            let text = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
            return text.split(separator: "\n").first.flatMap { Int($0.dropFirst(7)) } ?? 0
        }
    }

    @Test func `A settled photo is read once, also by another process`() throws {
        let first = try probe()
        cache.flush()
        let other = try AvatarCache(folder.path.appending("cache"))
        for cache in [cache, other] {
            // The index is read by the first lookup.
            _ = try probe(cache)
            let before = try bytesRead
            let again = try probe(cache)
            // Reading the counter itself takes some bytes.
            #expect(try bytesRead - before < 200)
            #expect(again.digest == first.digest && again.geometry == first.geometry)
        }
    }

    @Test func `A photo that was changed a moment ago is read again, whatever its times say`() throws {
        let first = try probe(age: 0)
        var times = [timespec(tv_sec: 1_700_000_000, tv_nsec: 0), timespec(tv_sec: 1_700_000_000, tv_nsec: 0)]
        let file = try FileDescriptor.open(path, .readWrite)
        try file.closeAfter { _ = try file.writeAll(toAbsoluteOffset: 0, SmallBook.image(2)) }
        #expect(utimensat(AT_FDCWD, path.string, &times, 0) == 0)
        #expect(try probe(age: 0).digest != first.digest)
    }

    @Test func `A changed photo of equal length and equal modification time is another photo`() throws {
        var status = stat()
        #expect(stat(path.string, &status) == 0)
        let first = try probe()
        let file = try FileDescriptor.open(path, .readWrite)
        try file.closeAfter { _ = try file.writeAll(toAbsoluteOffset: 0, SmallBook.image(2)) }
        var times = [status.st_atim, status.st_mtim]
        #expect(utimensat(AT_FDCWD, path.string, &times, 0) == 0)
        #expect(try probe().digest != first.digest)
    }

    @Test func `A damaged or missing index costs a reading only`() throws {
        let first = try probe()
        cache.close()
        try folder.write(Array("no database".utf8), to: "cache/index.sqlite")
        let other = try AvatarCache(folder.path.appending("cache"))
        #expect(try probe(other).digest == first.digest)
    }

    @Test func `A link to a photo has the photo's digest`() throws {
        let first = try probe()
        let link = folder.path.appending("link.png")
        #expect(symlink("photo.png", link.string) == 0)
        let again = try ProbedPhoto(source: .file(link), cache: cache, limit: 1 << 20)
        #expect(again.digest == first.digest)
    }

    @Test func `The photos that stay in memory until they are drawn are bounded by their bytes`() throws {
        let size = SmallBook.image(1).count
        let photos = KeptPhotos(limit: 2 * size)
        func open() throws -> ProbedPhoto {
            try ProbedPhoto(source: .file(path), cache: nil, limit: 1 << 20, keeping: photos)
        }
        func isKept(_ photo: ProbedPhoto) throws -> Bool {
            let (first, second) = (try photo.read(limit: 1 << 20), try photo.read(limit: 1 << 20))
            return first == second
        }
        do {
            let (first, second, third) = (try open(), try open(), try open())
            #expect(try isKept(first) && isKept(second) && !isKept(third))
        }
        #expect(try isKept(open()))
    }

    @Test func `A photo beyond the whole bound stays in memory if it is the only one`() throws {
        let photos = KeptPhotos(limit: 1)
        let first = try ProbedPhoto(source: .file(path), cache: nil, limit: 1 << 20, keeping: photos)
        let second = try ProbedPhoto(source: .file(path), cache: nil, limit: 1 << 20, keeping: photos)
        #expect(try first.read(limit: 1 << 20) == first.read(limit: 1 << 20))
        #expect(try second.read(limit: 1 << 20) != second.read(limit: 1 << 20))
    }
}

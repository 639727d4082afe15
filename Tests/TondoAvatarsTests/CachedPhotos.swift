import Foundation
import Synchronization
import SystemPackage
import TondoCache
import TondoDigest
import TondoImage
import TondoTestSupport

@testable import TondoAvatars

/// A folder with a cache, and photos to draw through it. The cache's clock stands still until it is moved.
final class CachedPhotos: Sendable {
    let folder: TemporaryFolder
    let cache: AvatarCache
    private let clock = Clock()

    init() throws {
        folder = try TemporaryFolder()
        var options = AvatarCache.Options()
        options.now = { [clock] in clock.time.withLock { $0 } }
        cache = try AvatarCache(folder.path.appending("cache"), options: options)
    }

    func wait(seconds: Double) { clock.time.withLock { $0.addTimeInterval(seconds) } }

    /// Overwrites a byte in the middle of an entry's file.
    func damage(_ key: CacheKey) throws {
        let file = try FileDescriptor.open(cache.file(of: key), .readWrite)
        try file.closeAfter { _ = try file.writeAll(toAbsoluteOffset: 300, [0xAA, 0x55]) }
    }
}

private final class Clock: Sendable {
    let time = Mutex(Date(timeIntervalSince1970: 1_763_750_000))
}

/// A photo's file and what is drawn from it.
struct ReadPhoto {
    private let file: PhotoFile
    private let contact: String?

    init(_ bytes: [UInt8], contact: String? = "ada", in photos: CachedPhotos) throws {
        file = try PhotoFile.open(photos.folder.write(bytes, to: "photo.jpg"), limit: 1 << 30)
        self.contact = contact
    }

    var subject: CachingRenderer.Subject {
        get throws {
            CachingRenderer.Subject(
                digest: SHA256Digest(file), geometry: try PhotoGeometry(probing: file.bytes), contact: contact)
        }
    }

    func read() -> PhotoFile { file }
}

extension CachingRenderer {
    /// The pictures of a photo, in the order they were handed out, as "cache" or "drawn" with their index.
    func images(
        of photo: ReadPhoto, styles: [Int]? = nil, isFresh: Bool = false
    ) throws -> (log: [String], pngs: [[UInt8]]) {
        let subject = try photo.subject
        var (log, pngs) = ([String](), [[UInt8]]())
        _ = try make(
            styles ?? Array(renderer.styles.indices), of: subject, recipes: recipes(for: subject), isFresh: isFresh,
            photo: photo.read
        ) { output, index in
            switch output {
            case .stored(let entry):
                log.append("cache \(index)")
                pngs.append(entry.avatar.bytes)
            case .drawn(let png, _):
                log.append("drawn \(index)")
                pngs.append(png)
            }
        }
        return (log, pngs)
    }
}

/// The small photo cut off behind its header.
enum CutPhoto {
    static let bytes = Array(SmallPhoto.bytes.prefix(SmallPhoto.bytes.count / 3))
}

/// A JPEG of 1024 x 1024 pixels.
enum Sample {
    static let bytes: [UInt8] = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return (try? [UInt8](Data(contentsOf: root.appendingPathComponent("assets/samples/ada.jpg")))) ?? []
    }()
}

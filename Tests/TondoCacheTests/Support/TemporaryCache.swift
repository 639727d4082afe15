import Foundation
import Synchronization
import SystemPackage
import TondoImage

@testable import TondoCache

/// A folder for a cache that is gone with its last owner, and a clock that stands still until it is moved.
final class TemporaryCache: Sendable {
    let path: FilePath
    private let watch = Watch()

    init() throws {
        let name = FileManager.default.temporaryDirectory.path + "/tondo-cache-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: name, withIntermediateDirectories: false)
        path = FilePath(name).appending("cache")
    }

    deinit { try? FileManager.default.removeItem(atPath: path.removingLastComponent().string) }

    var now: Date { watch.time.withLock { $0 } }

    /// Moves the clock.
    func wait(seconds: Double) { watch.time.withLock { $0.addTimeInterval(seconds) } }

    /// What every cache opened here told.
    var notices: [CacheNotice] { watch.told.withLock { $0 } }

    func open(maxSize: Int? = AvatarCache.defaultMaxSize, isMaking: Bool = true) throws -> AvatarCache {
        var options = AvatarCache.Options()
        options.isMaking = isMaking
        options.maxSize = maxSize
        options.now = { [watch] in watch.time.withLock { $0 } }
        options.notice = { [watch] notice in watch.told.withLock { $0.append(notice) } }
        return try AvatarCache(path, options)
    }

    func url(_ name: String) -> URL { URL(fileURLWithPath: path.string).appendingPathComponent(name) }

    func file(of key: CacheKey) -> URL { url("objects/\(key.hexadecimal.prefix(2))/\(key).png") }

    /// Every file below, in order; folders are left out.
    func files(below name: String = "") throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: url(name).path).filter { relative in
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(
                atPath: url(name).appendingPathComponent(relative).path, isDirectory: &isFolder)
            return !isFolder.boolValue
        }.sorted()
    }
}

/// The clock of a cache under test, and what the cache told.
private final class Watch: Sendable {
    let time = Mutex(Date(milliseconds: 1_763_750_000_000))
    let told = Mutex<[CacheNotice]>([])
}

/// A picture as the renderer would make it.
struct TestPicture {
    let png: [UInt8]
    let recipe: String

    var key: CacheKey { CacheKey(recipe: recipe) }

    /// Different numbers are different photos. `bytes`: about as large as the file is to be.
    init(_ number: Int, side: Int = 8, style: String = "inset=0 background=none", bytes: Int = 0) {
        let digits = String(number, radix: 16)
        let photo = String(repeating: "0", count: 64 - digits.count) + digits
        recipe = "photo=sha256:\(photo) crop=none side=\(side) \(style) decode=1/1 format=png renderer=1"
        var text = [(keyword: "tondo-recipe", value: recipe)]
        if bytes > 0 { text.append((keyword: "padding", value: String(repeating: "x", count: bytes))) }
        let pixels = (0..<(side * side * 4)).map { UInt8(truncatingIfNeeded: $0 &* (number &+ 7)) }
        png = PNGEncoder.encode(pixels: pixels, width: side, height: side, text: text)
    }
}

extension AvatarCache {
    func store(_ picture: TestPicture, contacts: [String] = [], cost: Double = 1) throws {
        try store(picture.png, key: picture.key, cost: cost, contacts: contacts)
    }

    /// The picture's bytes, if it is there and whole.
    func find(_ key: CacheKey) throws -> [UInt8]? { try lookup(key).flatMap { try read($0) }?.png }
}

import Foundation
import Synchronization
import SystemPackage
import TondoImage

@testable import TondoCache

/// A folder for a cache that is gone with its last owner and the last cache in it, and a clock that stands still until it is moved.
final class TemporaryCache: Sendable {
    let path: FilePath
    private let watch: Watch

    /// `inMemory`: on a disk in memory where there is one; it need not wait for what is fsynced.
    init(inMemory: Bool = false) throws {
        let shared = "/dev/shm"
        let isThere = inMemory && FileManager.default.isWritableFile(atPath: shared)
        let parent = isThere ? shared : FileManager.default.temporaryDirectory.path
        let name = parent + "/tondo-cache-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: name, withIntermediateDirectories: false)
        (path, watch) = (FilePath(name).appending("cache"), Watch(folder: name))
    }

    var now: Date { watch.time.withLock { $0 } }

    /// Moves the clock.
    func wait(seconds: Double) { watch.time.withLock { $0.addTimeInterval(seconds) } }

    /// The notices of every cache opened here.
    var notices: [CacheNotice] { watch.reported.withLock { $0 } }

    /// `busyTimeout`: seconds to wait for another process that has locked the index.
    func open(
        maxSize: Int? = AvatarCache.defaultMaxSize, mostFailures: Int = AvatarCache.mostFailures, isMaking: Bool = true,
        busyTimeout: Double = 10
    ) throws -> AvatarCache {
        var options = AvatarCache.Options()
        options.mostFailures = mostFailures
        options.isMaking = isMaking
        options.maxSize = maxSize
        options.busyTimeout = busyTimeout
        options.now = { [watch] in watch.time.withLock { $0 } }
        options.notice = { [watch] notice in watch.reported.withLock { $0.append(notice) } }
        return try AvatarCache(path, options: options)
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

/// The clock of a cache under test, and its notices. Every cache holds it, and with it the folder.
private final class Watch: Sendable {
    private let folder: String
    let time = Mutex(Date(milliseconds: 1_763_750_000_000))
    let reported = Mutex<[CacheNotice]>([])

    init(folder: String) { self.folder = folder }

    deinit { try? FileManager.default.removeItem(atPath: folder) }
}

/// A picture as the renderer would make it.
struct TestImage {
    let recipe: String
    private let side: Int
    private let bytes: Int
    private let seed: Int

    var key: CacheKey { CacheKey(recipe: recipe) }

    /// Made when it is asked for.
    var png: [UInt8] {
        var text = [(keyword: "tondo-recipe", value: recipe)]
        if bytes > 0 { text.append((keyword: "padding", value: String(repeating: "x", count: bytes))) }
        let pixels = (0..<(side * side * 4)).map { UInt8(truncatingIfNeeded: $0 &* seed) }
        return PNGEncoder.encode(pixels: pixels, width: side, height: side, text: text)
    }

    /// In the format of the recipe.
    var file: [UInt8] {
        guard recipe.contains(" format=webp ") else { return png }
        let canvas = Canvas(side: side, bytes: [UInt8](repeating: 99, count: side * side * 4))
        let file = try? AvatarFormat.webp(quality: 85).encode(canvas, texts: [("tondo-recipe", recipe)])
        return file ?? []
    }

    /// The same as a WebP, with another key.
    var asWebP: TestImage {
        let words = "format=webp quality=85 encoder=libwebp-1.2.4"
        return TestImage(recipe: recipe.replacing("format=png", with: words), side: side, bytes: bytes, seed: seed)
    }

    /// The same with another crop, and another key.
    func cropped(_ crop: String) -> TestImage {
        TestImage(recipe: recipe.replacing("crop=none", with: "crop=\(crop)"), side: side, bytes: bytes, seed: seed)
    }

    /// Different numbers are different photos. `bytes`: about as large as the file is to be.
    init(_ number: Int, side: Int = 8, style: String = "inset=0 background=none", bytes: Int = 0) {
        let digits = String(number, radix: 16)
        let photo = String(repeating: "0", count: 64 - digits.count) + digits
        self.init(
            recipe: "photo=sha256:\(photo) crop=none side=\(side) \(style) decode=1/1 format=png renderer=1",
            side: side, bytes: bytes, seed: number &+ 7)
    }

    init(recipe: String, side: Int = 8, bytes: Int = 0, seed: Int = 7) {
        (self.recipe, self.side, self.bytes, self.seed) = (recipe, side, bytes, seed)
    }
}

extension AvatarCache {
    /// A failure of this number; `isTransient`: it expires after a minute.
    func note(_ number: Int, code: String = "broken", isTransient: Bool = false) throws {
        try note(
            failureOf: "photo=\(number)", stage: "decode", code: code, reason: "cut off", isTransient: isTransient)
    }

    /// Numbers of those that are remembered, up to 100.
    var noted: [Int] { (0..<100).filter { negatives.entry(CacheKey(recipe: "photo=\($0)")) != nil } }

    func store(_ image: TestImage, contacts: [String] = [], cost: Double = 1) throws {
        try store(image.file, key: image.key, cost: cost, contacts: contacts)
    }

    /// The picture's bytes, if it is there and whole.
    func find(_ key: CacheKey) throws -> [UInt8]? { try lookup(key).flatMap { try read($0) }?.bytes }
}

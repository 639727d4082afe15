import Foundation
import SystemPackage
import TondoCache
import TondoImage

/// A picture of about 20 KB with its recipe, as the renderer would make it.
struct TestImage {
    let key: CacheKey
    let png: [UInt8]
    let contact: String

    /// Different numbers are different photos. Noise cannot be compressed, so the side sets the size.
    init(_ number: Int) {
        let photo = String(format: "%064x", number)
        let recipe =
            "photo=sha256:\(photo) crop=none side=\(Self.side) inset=0 ring=4 ring-color=#0A84FF background=none "
            + "decode=1/2 format=png renderer=1"
        key = CacheKey(recipe: recipe)
        contact = "people/\(number).vcf"
        png = PNGEncoder.encode(
            pixels: Self.noise, width: Self.side, height: Self.side, text: [(keyword: "tondo-recipe", value: recipe)])
    }

    private static let side = 71
    private static let noise: [UInt8] = {
        var state: UInt64 = 42
        return (0..<(side * side * 4)).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
    }()
}

extension AvatarCache {
    /// Without limit, so that nothing has to make room.
    static func unlimited(_ path: String) throws -> AvatarCache {
        var options = Options()
        options.maxSize = nil
        return try AvatarCache(FilePath(path), options: options)
    }

    func store(_ image: TestImage) throws {
        try store(image.png, key: image.key, cost: 3.5, contacts: [image.contact])
    }
}

/// A cache with files.
struct FilledCache {
    let path: String
    let cache: AvatarCache
    /// In no order.
    let keys: [CacheKey]

    init(_ path: String, entries: Int) throws {
        self.path = path
        cache = try .unlimited(path)
        var keys: [CacheKey] = []
        for number in 0..<entries {
            let image = TestImage(number)
            try cache.store(image)
            keys.append(image.key)
        }
        cache.flush()
        self.keys = keys
    }

    /// `ab/KEY.png`.
    static func name(_ key: CacheKey) -> String { "\(key.hexadecimal.prefix(2))/\(key).png" }

    var objects: String { path + "/objects" }
}

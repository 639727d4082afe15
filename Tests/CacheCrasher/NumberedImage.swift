import FoundationEssentials
import TondoCache
import TondoImage

/// An avatar that is derived from its number: recipe, key, bytes, and the time at which it is always stored.
struct NumberedImage {
    /// Numbers that are used.
    static let count = 240
    /// Bytes that no entry's file exceeds, though most are nearly as large.
    static let largestFile = 1408
    /// Bytes that no failure's file exceeds. One may be noted for each number, at the number's time.
    static let largestFailure = 256
    /// Contacts that an entry may have.
    static let contacts = ["ada", "ben", "cleo", "dan"]

    let number: Int
    let recipe: String
    let key: CacheKey

    init(_ number: Int) {
        self.number = number
        let digits = String(number, radix: 16)
        let photo = String(repeating: "0", count: 64 - digits.count) + digits
        recipe = "photo=sha256:\(photo) crop=none side=2 inset=0 background=none decode=1/1 format=png renderer=1"
        key = CacheKey(recipe: recipe)
    }

    /// Different numbers have different pixels.
    var png: [UInt8] {
        let pixels = (0..<16).map { UInt8(truncatingIfNeeded: number >> ($0 % 2 * 8) &+ $0 / 2) }
        return PNGEncoder.encode(
            pixels: pixels, width: 2, height: 2,
            text: [
                (keyword: "tondo-recipe", value: recipe),
                (keyword: "padding", value: String(repeating: "x", count: 1000)),
            ])
    }

    /// One second later for each number, so that higher numbers always were used later.
    var date: Date { Self.date(number) }

    static func date(_ number: Int) -> Date { Date(timeIntervalSince1970: 1_763_750_000 + Double(number)) }

    /// A limit of the cache's size that never takes this number or a higher one: all of those together, with their
    /// failures, are no larger than what is left after making room.
    static func maxSize(keepingFrom number: Int) -> Int {
        (count - number) * (largestFile + largestFailure) * 10 / 9 + 1
    }
}

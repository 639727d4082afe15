import SystemPackage
import Testing

@testable import TondoCache

@Suite struct CacheKeyTests {
    private static let digits = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    @Test func aKeyIsTheSHA256OfItsRecipe() {
        // FIPS 180-4's example.
        #expect(CacheKey(recipe: "abc").hexadecimal == Self.digits)
    }

    @Test func itsDigitsAndItsBytesGiveTheSameKeyAgain() throws {
        for number in 0..<200 {
            let key = CacheKey(recipe: "photo=\(number)")
            #expect(CacheKey(key.hexadecimal) == key)
            #expect(key.bytes.withUnsafeBytes { CacheKey(bytes: $0) } == key)
        }
    }

    private static let others: [String] = [
        "", "..", ".", "/", "../../../../etc/passwd", String(repeating: "../", count: 21) + "a",
        String(repeating: "/", count: 64), "\(digits.dropLast())", "\(digits)0", digits.uppercased(),
        "\(digits.dropLast()) ", "\(digits.dropLast())\0", " \(digits.dropLast())", "\(digits.dropLast())g",
        "0x\(digits.dropLast(2))", String(repeating: "\u{FF11}", count: 64), "\(digits.dropLast(2))\u{E9}",
    ]

    @Test(arguments: others)
    func whatIsNot64LowerCaseDigitsIsNoKey(text: String) {
        #expect(CacheKey(text) == nil)
    }

    @Test(arguments: [0, 1, 31, 33])
    func bytesOfAnotherNumberThan32AreNoKey(count: Int) {
        #expect([UInt8](repeating: 1, count: count).withUnsafeBytes { CacheKey(bytes: $0) } == nil)
    }

    @Test func theFirstTwoDigitsNameTheFolder() throws {
        for number in 0..<300 {
            let key = CacheKey(recipe: "photo=\(number)")
            #expect(ObjectStore.name(ofShard: key.shard) == key.hexadecimal.prefix(2))
        }
    }

    @Test func keysAreInTheOrderOfTheirDigits() {
        let keys = (0..<200).map { CacheKey(recipe: "photo=\($0)") }
        #expect(keys.sorted().map(\.hexadecimal) == keys.map(\.hexadecimal).sorted())
    }

    @Test func aFilesPathTellsItsKey() {
        #expect(AvatarCache.key(ofFile: FilePath("/a/objects/ba/\(Self.digits).png")) == CacheKey(Self.digits))
    }

    @Test(arguments: ["", "/", "..", "\(digits)", "\(digits).jpg", "../\(digits.dropLast()).png", "x/..png"])
    func anotherPathTellsNoKey(path: String) {
        #expect(AvatarCache.key(ofFile: FilePath(path)) == nil)
    }
}

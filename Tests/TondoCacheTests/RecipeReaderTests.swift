import Testing
import TondoTestSupport

@testable import TondoCache

@Suite struct RecipeReaderTests {
    private static func recipe(_ png: [UInt8]) -> String? { png.withUnsafeBytes { RecipeReader.recipe(in: $0) }?.text }

    @Test func theRecipeIsReadFromItsChunk() {
        let image = TestImage(1)
        #expect(Self.recipe(image.png) == image.recipe)
    }

    @Test func aRecipeWithAnyBitFlippedIsNone() throws {
        let image = TestImage(1)
        let chunk = try #require(image.png.firstRange(of: Array("tEXttondo-recipe".utf8)))
        let end = chunk.upperBound + 1 + image.recipe.utf8.count + 4
        for place in chunk.lowerBound..<end {
            for bit in 0..<8 {
                var png = image.png
                png[place] ^= 1 << bit
                #expect(Self.recipe(png) == nil, "byte \(place)")
            }
        }
    }

    @Test func aCutOffPictureHasARecipeOnlyIfItIsWhole() throws {
        let image = TestImage(1)
        let chunk = try #require(image.png.firstRange(of: Array("tEXttondo-recipe".utf8)))
        let end = chunk.upperBound + 1 + image.recipe.utf8.count + 4
        for count in 0...image.png.count {
            #expect((Self.recipe(Array(image.png[..<count])) != nil) == (count >= end), "\(count) bytes")
        }
    }

    @Test func aRecipeBehindThePixelsIsNotLookedFor() throws {
        let image = TestImage(1)
        let text = try #require(image.png.firstRange(of: Array("tEXt".utf8)))
        let pixels = try #require(image.png.firstRange(of: Array("IDAT".utf8)))
        var png = image.png
        png.replaceSubrange(text, with: image.png[pixels])
        #expect(Self.recipe(png) == nil)
    }

    @Test func chunksThatClaimTooMuchEndTheSearch() {
        for size: UInt32 in [.max, .max - 11, 1 << 31, 100] {
            var png = TestImage(1).png
            withUnsafeBytes(of: size.bigEndian) { png.replaceSubrange(8..<12, with: $0) }
            png.removeSubrange(40...)
            #expect(Self.recipe(png) == nil)
        }
    }

    @Test func noiseHasNone() {
        var random = SplitMix64(2)
        for _ in 0..<500 {
            let count = Int.random(in: 0...100, using: &random)
            #expect(Self.recipe((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }) == nil)
        }
    }
}

import Testing

@testable import TondoCache

@Suite struct RecipeReaderTests {
    private static func recipe(_ png: [UInt8]) -> String? { png.withUnsafeBytes { RecipeReader.recipe(in: $0) }?.text }

    @Test func theRecipeIsReadFromItsChunk() {
        let picture = TestPicture(1)
        #expect(Self.recipe(picture.png) == picture.recipe)
    }

    @Test func aRecipeWithAnyBitFlippedIsNone() throws {
        let picture = TestPicture(1)
        let chunk = try #require(picture.png.firstRange(of: Array("tEXttondo-recipe".utf8)))
        let end = chunk.upperBound + 1 + picture.recipe.utf8.count + 4
        for place in chunk.lowerBound..<end {
            for bit in 0..<8 {
                var png = picture.png
                png[place] ^= 1 << bit
                #expect(Self.recipe(png) == nil, "byte \(place)")
            }
        }
    }

    @Test func aCutOffPictureHasARecipeOnlyIfItIsWhole() throws {
        let picture = TestPicture(1)
        let chunk = try #require(picture.png.firstRange(of: Array("tEXttondo-recipe".utf8)))
        let end = chunk.upperBound + 1 + picture.recipe.utf8.count + 4
        for count in 0...picture.png.count {
            #expect((Self.recipe(Array(picture.png[..<count])) != nil) == (count >= end), "\(count) bytes")
        }
    }

    @Test func aRecipeBehindThePixelsIsNotLookedFor() throws {
        let picture = TestPicture(1)
        let text = try #require(picture.png.firstRange(of: Array("tEXt".utf8)))
        let pixels = try #require(picture.png.firstRange(of: Array("IDAT".utf8)))
        var png = picture.png
        png.replaceSubrange(text, with: picture.png[pixels])
        #expect(Self.recipe(png) == nil)
    }

    @Test func chunksThatClaimTooMuchEndTheSearch() {
        for size: UInt32 in [.max, .max - 11, 1 << 31, 100] {
            var png = TestPicture(1).png
            withUnsafeBytes(of: size.bigEndian) { png.replaceSubrange(8..<12, with: $0) }
            png.removeSubrange(40...)
            #expect(Self.recipe(png) == nil)
        }
    }

    @Test func noiseHasNone() {
        var random = SeededRandom(2)
        for _ in 0..<500 {
            let count = Int.random(in: 0...100, using: &random)
            #expect(Self.recipe((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }) == nil)
        }
    }
}

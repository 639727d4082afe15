import Foundation
import Testing

@testable import TondoCache

@Suite struct CostTests {
    @Test(arguments: [0, 0.25, 1e300, Double.leastNonzeroMagnitude])
    func aCostIsToldAsItWasGiven(cost: Double) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.store(TestImage(1), cost: cost)
        #expect(try cache.entry(TestImage(1).key)?.cost == cost)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, -1])
    func aCostThatIsNoneIsNought(cost: Double) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.store(TestImage(1), cost: cost)
        try cache.store(TestImage(2))
        #expect(try cache.entry(TestImage(1).key)?.cost == 0)
        #expect(try cache.statistics().entries == 2)
    }

    /// A seal that another program wrote.
    @Test(arguments: ["nan", "inf", "-1", "1e999", "-nan"])
    func aCostThatIsNoneInAFileDoesNotKeepTheIndexFromBeingMade(cost: String) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        let image = TestImage(1)
        let trailer = try #require(EntryTrailer(text: "created=1 cost=\(cost)"))
        let file = try #require(image.png.withUnsafeBytes { trailer.file(appendedTo: $0, key: image.key) })
        try folder.write(file, to: folder.name(of: image.key))
        #expect(try cache.rebuildIndex() == 1)
        #expect(try cache.entry(image.key)?.cost == 0)
    }
}

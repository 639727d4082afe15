import Foundation
import Testing

@testable import TondoCache

@Suite struct CostTests {
    @Test(arguments: [0, 0.25, 1e300, Double.leastNonzeroMagnitude])
    func aCostIsToldAsItWasGiven(cost: Double) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.store(TestPicture(1), cost: cost)
        #expect(try cache.entry(TestPicture(1).key)?.cost == cost)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, -1])
    func aCostThatIsNoneIsNought(cost: Double) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.store(TestPicture(1), cost: cost)
        try cache.store(TestPicture(2))
        #expect(try cache.entry(TestPicture(1).key)?.cost == 0)
        #expect(try cache.statistics().entries == 2)
    }

    /// A seal that another program wrote.
    @Test(arguments: ["nan", "inf", "-1", "1e999", "-nan"])
    func aCostThatIsNoneInAFileDoesNotKeepTheIndexFromBeingMade(cost: String) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        let picture = TestPicture(1)
        let seal = try #require(Seal(text: "created=1 cost=\(cost)"))
        let file = try #require(picture.png.withUnsafeBytes { seal.file(sealing: $0, key: picture.key) })
        try folder.write(file, to: folder.name(of: picture.key))
        #expect(try cache.rebuildIndex() == 1)
        #expect(try cache.entry(picture.key)?.cost == 0)
    }
}

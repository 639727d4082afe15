import Foundation
import Testing
import TondoCache
import TondoImage

@testable import TondoAvatars

@Suite struct NearestEntryTests {
    private func recipe(_ style: String, of photo: String = "a", decode: String = "1/1") throws -> Recipe {
        try #require(Recipe("photo=\(photo) crop=none \(style) decode=\(decode) format=png renderer=1"))
    }

    private func known(
        _ style: String, of photo: String = "a", decode: String = "1/1", created: Double = 0
    ) throws -> Entry {
        let recipe = try recipe(style, of: photo, decode: decode)
        let date = Date(timeIntervalSince1970: created)
        return Entry(
            key: CacheKey(recipe: recipe.text), recipe: recipe, size: 1, cost: 1, created: date, used: date,
            contacts: [])
    }

    @Test func `There is none among none`() throws {
        #expect(try NearestEntry(to: recipe("side=96"), among: []) == nil)
    }

    @Test func `Fewer differences are nearer`() throws {
        let entries = try [known("side=48", of: "b"), known("side=48", of: "a"), known("side=24", of: "b")]
        #expect(try NearestEntry(to: recipe("side=96", of: "a"), among: entries)?.entry == entries[1])
    }

    @Test func `Of as many differences, the more similar size is nearer`() throws {
        let entries = try [known("side=256", created: 9), known("side=100"), known("side=50")]
        #expect(try NearestEntry(to: recipe("side=96"), among: entries)?.entry == entries[1])
    }

    @Test func `Of the same size, the later one is nearer`() throws {
        let entries = try [known("side=96", of: "b", created: 1), known("side=96", of: "c", created: 2)]
        #expect(try NearestEntry(to: recipe("side=96", of: "a"), among: entries)?.entry == entries[1])
    }

    @Test func `What only one of the two has is a difference, the wanted ones first`() throws {
        let nearest = try #require(
            NearestEntry(to: recipe("side=96 inset=0"), among: [known("side=96 inset=0 ring=4", decode: "1/2")]))
        #expect(
            nearest.differences == [
                .init(name: "decode", wanted: "1/1", found: "1/2"), .init(name: "ring", wanted: nil, found: "4"),
            ])
    }

    /// The differences of a style from an entry with this crop.
    private func differences(_ crop: Style.Crop, from found: String) throws -> [NearestEntry.Difference]? {
        var style = Style(size: 96)
        style.crop = crop
        var entry = try known(style.canonicalText, of: "b", decode: "1/8")
        entry.recipe = try #require(Recipe(entry.recipe.text.replacing("crop=none", with: "crop=" + found)))
        return NearestEntry(to: style, among: [entry])?.differences
    }

    @Test func `For a style alone, photo and decode do not count`() throws {
        #expect(try differences(.centre, from: "none") == [])
    }

    @Test func `For a style alone, its crop counts, and that of a contact does not`() throws {
        #expect(try differences(.face, from: "none") == [.init(name: "crop", wanted: "face/2", found: "none")])
        #expect(try differences(.top, from: "face/2") == [.init(name: "crop", wanted: "top", found: "face/2")])
        #expect(try differences(.top, from: "1,2,3,4") == [])
        #expect(try differences(.top, from: "none initials=A") == [])
    }
}

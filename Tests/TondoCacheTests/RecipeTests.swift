import Testing

@testable import TondoCache

@Suite struct RecipeTests {
    private static let text = "photo=sha256:1f crop=none side=96 ring=2 decode=1/4 format=png renderer=1"

    @Test func aRecipeTellsItsPhotoItsSideAndItsStyle() throws {
        let recipe = try #require(Recipe(Self.text))
        #expect(recipe.photo == "sha256:1f" && recipe["crop"] == "none" && recipe.side == 96)
        #expect(recipe.style == "side=96 ring=2")
    }

    @Test func withoutPhotoAndCropItIsATemplateThatGivesItBack() throws {
        let recipe = try #require(Recipe(Self.text))
        #expect(recipe.template == "side=96 ring=2 decode=1/4 format=png renderer=1")
        #expect(Recipe.text(photo: recipe.photo, crop: recipe["crop"], template: recipe.template) == Self.text)
    }

    @Test(arguments: [
        "", " ", "side=1", "photo", "photo=1\n", "photo=\u{E9}", "photo=\0", "photo=1\t",
        "photo=" + String(repeating: "x", count: Recipe.longest),
    ])
    func whatIsNotPrintableOrNamesNoPhotoIsNoRecipe(text: String) {
        #expect(Recipe(text) == nil)
    }

    @Test func aSideThatIsNoNumberIsZero() throws {
        #expect(try #require(Recipe("photo=1 side=99999999999999999999")).side == 0)
    }

    /// Its row could not give the same text back, so one of two entries would have the other's recipe.
    @Test(arguments: [
        "crop=none photo=1 side=8", "photo=1 side=8 crop=none", "photo=1 photo=2", "photo=1 crop=a crop=b",
        "photo=1  side=8", " photo=1", "photo=1 ", "photo=1 side", "photo=1 word side=8",
    ])
    func aRecipeInAnotherSpellingIsNotStored(text: String) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        let image = TestImage(recipe: text)
        #expect(throws: CacheError.wrongRecipe(image.key)) { try cache.store(image) }
        #expect(try folder.files(below: "objects") == [] && folder.files(below: "tmp") == [])
    }

    @Test(arguments: ["photo=1", "photo=1 crop=", "photo=1 crop=none", "photo=1 side=8", "photo=1 a=b=c"])
    func aRecipeInTheOneSpellingIsToldAsItIs(text: String) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        let image = TestImage(recipe: text)
        try cache.store(image)
        #expect(try cache.entry(image.key)?.recipe.text == text)
    }

    @Test func recipesWithTheirWordsReorderedAreEntriesOfTheirOwn() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        let images = ["photo=1 a=1 b=2", "photo=1 b=2 a=1"].map { TestImage(recipe: $0) }
        for image in images { try cache.store(image) }
        for image in images { #expect(try cache.entry(image.key)?.recipe.text == image.recipe) }
    }
}

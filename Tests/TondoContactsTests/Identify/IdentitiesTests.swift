import Testing

@testable import TondoContacts

@Suite struct IdentitiesTests {
    @Test func `Repeated ids are numbered in the book's order`() {
        var identities = Identities()
        #expect(["a", "b", "a", "a", "b"].map { identities.unique($0) } == ["a", "b", "a-2", "a-3", "b-2"])
    }

    @Test func `A number never meets an id of the book`() {
        var identities = Identities()
        #expect(["a", "a-2", "a", "a-2"].map { identities.unique($0) } == ["a", "a-2", "a-3", "a-2-2"])
    }

    @Test func `Ten thousand equal ids take no time to speak of`() {
        var identities = Identities(expecting: 10_000)
        let ids = Set((0..<10_000).map { _ in identities.unique("a") })
        #expect(ids.count == 10_000)
    }

    @Test func `A contact without UID gets the same id on every load`() throws {
        let one = try Contact(lines: "FN:Ada Example", "TEL:1")
        let again = try Contact(lines: "TEL:1", "FN:Ada Example", "NOTE:New", "PHOTO:a.jpg", "REV:2")
        #expect(one.id == again.id)
        // Must not change from one version to the next: caches and listeners know people by it.
        #expect(one.id == "tondo-4c7bce25899b9c71ef72d115c7899911")
    }

    @Test func `Other people get other ids`() throws {
        let ids = try [
            Contact(lines: "FN:Ada Example", "TEL:1"), Contact(lines: "FN:Ada Example", "TEL:2"),
            Contact(lines: "FN:Ada Example"), Contact(lines: "FN:Ada Example", "EMAIL:1"),
            Contact(lines: "FN:Ada Example", "TEL:1", "TEL:1"), Contact(lines: "N:Example;Ada", "TEL:1"),
        ].map(\.id)
        #expect(Set(ids).count == ids.count)
    }
}

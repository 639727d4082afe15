import Testing

@testable import TondoContacts

@Suite struct ContactLookupTests {
    private let contacts = [("1", "Ada"), ("2", "Ada Lovelace"), ("Ada", "Bo"), ("4", "Bo"), ("5", "Émile")].map {
        var contact = Contact(id: $0.0)
        contact.name.formatted = $0.1
        return contact
    }

    private func ids(_ word: String) -> [String] {
        switch ContactLookup(word, in: contacts) {
        case .one(let contact): [contact.id]
        case .several(let contacts): contacts.map(\.id)
        case .none(let candidates): candidates.map { "?" + $0.id }
        }
    }

    @Test(arguments: [
        ("Ada", ["Ada"]), ("ada", ["1"]), ("love", ["?2"]), ("bo", ["Ada", "4"]), ("emile", ["5"]), ("zoe", []),
        ("", []), (" ", []),
    ]) func `The id counts first, then the whole name; words only give candidates`(word: String, found: [String]) {
        #expect(ids(word) == found)
    }
}

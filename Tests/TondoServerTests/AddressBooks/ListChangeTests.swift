import Testing
import TondoContacts

@testable import TondoServer

/// The changes that events tell clients are those of the directory.
@Suite struct ListChangeTests {
    private let directory = ContactDirectory()

    private func change(_ position: Int, _ total: Int) -> ListChange { .init(position: position, total: total) }

    @discardableResult
    private func put(_ id: String, at index: Int, isGroup: Bool = false, in book: Int = 0) -> ListChange {
        var contact = Contact(id: id)
        if isGroup { contact.kind = .group }
        return directory.put(PackedContact(contact), at: index, in: book)
    }

    @Test func `Positions count the contacts of all books, and no groups`() {
        #expect(put("ada", at: 0) == change(0, 1))
        #expect(put("club", at: 1, isGroup: true) == change(1, 1))
        #expect(put("bo", at: 2) == change(1, 2))
        #expect(put("2~cy", at: 0, in: 1) == change(2, 3))
        #expect(put("dora", at: 2) == change(1, 4))
        #expect(directory.remove("2~cy") == change(3, 3))
        #expect(directory.remove("club") == change(1, 3))
        #expect(directory.remove("bo") == change(2, 2))
        #expect(directory.remove("bo") == nil)
    }

    @Test func `A book that is read again removes what is gone from its end`() {
        for (index, id) in ["ada", "bo", "cy", "dora"].enumerated() { put(id, at: index, isGroup: id == "cy") }
        put("2~eve", at: 0, in: 1)
        directory.begin { _ in true }
        #expect(put("bo", at: 0) == change(0, 4))
        #expect(put("ada", at: 1) == change(1, 4))
        #expect(directory.finish(0).map(\.change) == [change(2, 3), change(2, 3)])
        #expect(directory.contacts.all.map(\.id) == ["bo", "ada", "2~eve"])
    }

    @Test func `Books that are served no longer are removed from the end`() {
        for (index, id) in ["ada", "bo"].enumerated() { put(id, at: index) }
        put("2~cy", at: 0, in: 1)
        put("3~dora", at: 0, in: 2)
        let gone = directory.begin(unchanged: { $0 == 1 }, keeping: { _ in false })
        #expect(gone.map(\.id) == ["3~dora", "bo", "ada"])
        #expect(gone.map(\.change) == [change(3, 3), change(1, 2), change(0, 1)])
        #expect(directory.contacts.all.map(\.id) == ["2~cy"])
    }

    @Test func `Each removal of a book that is read again has the revision of the list after it`() {
        for (index, id) in ["ada", "bo", "cy"].enumerated() { put(id, at: index) }
        let before = directory.revision
        directory.begin { _ in true }
        #expect(directory.revision == before)
        #expect(directory.finish(0).map(\.revision) == [before + 1, before + 2, before + 3])
        #expect(directory.revision == before + 3)
    }

    /// Half of the contacts are groups in the worst round.
    @Test(arguments: 0..<8) func `A client that applies every change has the order of the books`(_ round: Int) {
        var numbers = SystemRandomNumberGenerator()
        var books: [[(id: String, isGroup: Bool)]] = [[], []]
        var client: [String] = []
        for step in 0..<400 {
            let book = Int.random(in: 0...1, using: &numbers)
            let known = books[book].randomElement(using: &numbers)
            if step % 3 == 2, let known {
                books[book].removeAll { $0.id == known.id }
                guard let change = directory.remove(known.id) else {
                    Issue.record("lost")
                    return
                }
                if !known.isGroup { #expect(client.remove(at: change.position) == known.id) }
                #expect(change.total == client.count)
            } else {
                let contact: (id: String, isGroup: Bool) =
                    step.isMultiple(of: 2)
                    ? known ?? ("\(book)~\(step)", false)
                    : ("\(book)~\(step)", Int.random(in: 0...8, using: &numbers) < round)
                books[book].removeAll { $0.id == contact.id }
                let index = Int.random(in: 0...books[book].count, using: &numbers)
                books[book].insert(contact, at: index)
                let change = put(contact.id, at: index, isGroup: contact.isGroup, in: book)
                client.removeAll { $0 == contact.id }
                if !contact.isGroup { client.insert(contact.id, at: change.position) }
                #expect(change.total == client.count)
            }
            #expect(client == books.joined().filter { !$0.isGroup }.map(\.id))
            #expect(directory.contacts.all.map(\.id) == books.joined().map(\.id))
        }
    }

    /// Blocks are divided and removed; the first contact of the result is the last one of the book.
    @Test(arguments: [127, 128, 129, 1_000]) func `A book that is rewritten in reverse has its order`(_ count: Int) {
        let ids = (0..<count).map { "contact-\($0)" }
        for (place, id) in ids.enumerated() { #expect(put(id, at: place) == change(place, place + 1)) }
        for (place, id) in ids.reversed().enumerated() { #expect(put(id, at: place) == change(place, count)) }
        for left in (0..<count).reversed() {
            #expect(directory.remove(ids[count - 1 - left]) == change(left, left))
        }
        #expect(directory.count == 0 && directory.remove(ids[0]) == nil)
    }

    /// Each of these inserts into a full block, again and again.
    @Test func `Contacts can be inserted at one place again and again`() {
        for number in 0..<256 { put("\(number)", at: number) }
        for number in 256..<1_000 { #expect(put("\(number)", at: 128) == change(128, number + 1)) }
        #expect(directory.remove("128") == change(128 + 744, 999))
    }
}

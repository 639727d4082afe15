import Testing

@testable import TondoServer

@Suite struct EventOrderTests {
    private var order = EventOrder()

    private func change(_ position: Int, _ total: Int) -> EventOrder.Change { .init(position: position, total: total) }

    /// As a book is read: `place` by `place`.
    private mutating func read(_ id: String, at place: Int, isGroup: Bool = false, in book: Int = 0)
        -> EventOrder.Change
    {
        order.put(id, isGroup: isGroup, at: place, in: book)
    }

    @Test mutating func `Positions count the contacts of all books, and no groups`() {
        #expect(read("ada", at: 0) == change(0, 1))
        #expect(read("club", at: 1, isGroup: true) == change(1, 1))
        #expect(read("bo", at: 2) == change(1, 2))
        #expect(read("2~cy", at: 0, in: 1) == change(2, 3))
        #expect(order.put("dora", isGroup: false, at: 2, in: 0) == change(1, 4))
        #expect(order.remove("2~cy", from: 1) == change(3, 3))
        #expect(order.remove("club", from: 0) == change(1, 3))
        #expect(order.remove("bo", from: 0) == change(2, 2))
        #expect(order.remove("bo", from: 0) == nil && order.remove("x", from: 7) == nil)
    }

    @Test mutating func `A contact that is read again stays where it is`() {
        for (place, id) in ["ada", "bo", "cy"].enumerated() { _ = read(id, at: place) }
        for (place, id) in ["ada", "bo", "cy"].enumerated() { #expect(read(id, at: place) == change(place, 3)) }
        order.replace(0, by: [("cy", false), ("club", true), ("ada", false)])
        #expect(order.total == 2 && order.remove("ada", from: 0) == change(1, 1))
    }

    /// Half of the contacts are groups in the worst round.
    @Test(arguments: 0..<8) mutating func `A client that applies every change has the order of the books`(_ round: Int)
    {
        var numbers = SystemRandomNumberGenerator()
        var books: [[(id: String, isGroup: Bool)]] = [[], []]
        var client: [String] = []
        for step in 0..<400 {
            let book = Int.random(in: 0...1, using: &numbers)
            let known = books[book].randomElement(using: &numbers)
            if step % 3 == 2, let known {
                books[book].removeAll { $0.id == known.id }
                guard let change = order.remove(known.id, from: book) else {
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
                let place = Int.random(in: 0...books[book].count, using: &numbers)
                books[book].insert(contact, at: place)
                let change = order.put(contact.id, isGroup: contact.isGroup, at: place, in: book)
                client.removeAll { $0 == contact.id }
                if !contact.isGroup { client.insert(contact.id, at: change.position) }
                #expect(change.total == client.count)
            }
            #expect(client == books.joined().filter { !$0.isGroup }.map(\.id))
        }
    }

    /// Blocks are divided and removed; the first contact of the result is the last one of the book.
    @Test(arguments: [511, 512, 513, 3_000]) mutating func `A book that is rewritten in reverse has its order`(
        _ count: Int
    ) {
        let ids = (0..<count).map { "contact-\($0)" }
        for (place, id) in ids.enumerated() {
            #expect(read(id, at: place) == change(place, place + 1))
        }
        for (place, id) in ids.reversed().enumerated() {
            #expect(order.put(id, isGroup: false, at: place, in: 0) == change(place, count))
        }
        for left in (0..<count).reversed() {
            #expect(order.remove(ids[count - 1 - left], from: 0) == change(left, left))
        }
        #expect(order.total == 0 && order.remove(ids[0], from: 0) == nil)
    }

    /// Each of these inserts into a full block.
    @Test mutating func `Contacts can be inserted at one place again and again`() {
        for number in 0..<1_024 { _ = read("\(number)", at: number) }
        for number in 1_024..<3_000 {
            #expect(order.put("\(number)", isGroup: false, at: 512, in: 0) == change(512, number + 1))
        }
        #expect(order.remove("512", from: 0) == change(512 + 1_976, 2_999))
    }
}

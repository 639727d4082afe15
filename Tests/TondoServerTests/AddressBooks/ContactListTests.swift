import Testing
import TondoContacts
import TondoJobs
import TondoTestSupport

@testable import TondoServer

@Suite struct ContactListTests {
    private let directory = ContactDirectory()

    private static let names = ["Ada", "Öl", "Zoë", "Ёлка", "李", "", "Bo", "ada", "Straße", "👩‍💻"]

    private func contact(_ number: Int, _ numbers: inout SystemRandomNumberGenerator) -> Contact {
        var contact = Contact(id: "id\(number)")
        contact.name.given = Self.names.randomElement(using: &numbers) ?? ""
        contact.name.family = Self.names.randomElement(using: &numbers) ?? ""
        if Bool.random(using: &numbers) { contact.emails = [ContactPoint("\(number)@example.org")] }
        if number.isMultiple(of: 3) { contact.groups = [ContactGroup("Club")] }
        if number.isMultiple(of: 50) { contact.kind = .group }
        return contact
    }

    private func choice(_ change: (inout ContactQuery.Choice) -> Void) -> ContactQuery.Choice {
        var choice = ContactQuery.Choice()
        change(&choice)
        return choice
    }

    /// As `ContactSelection` selects from all contacts.
    private func ids(_ choice: ContactQuery.Choice) -> [String] {
        var selection = ContactSelection()
        (selection.filter, selection.search) = (choice.filter, ContactSearch(choice.search))
        (selection.group, selection.sort) = (choice.group, choice.sort)
        let people = directory.contacts.all.map(\.contact).filter { $0.kind != .group }
        return selection.chosen(from: people).map(\.id)
    }

    private var choices: [ContactQuery.Choice] {
        [
            choice { _ in }, choice { $0.search = "ada" }, choice { $0.search = "ss" }, choice { $0.search = "👩" },
            choice { $0.sort = ContactSort(.family) }, choice { $0.sort = ContactSort(.given, isDescending: true) },
            choice { $0.filter = ContactFilter([.email]) }, choice { $0.group = "club" },
            choice { ($0.search, $0.sort, $0.group) = ("a", ContactSort(.given), "Club") },
        ]
    }

    @Test func `Lists are those of a look at each contact, after every kind of change`() {
        var numbers = SystemRandomNumberGenerator()
        for number in 0..<700 { directory.put(contact(number, &numbers), in: number < 400 ? 0 : 1) }
        var revisions: Set<Int> = []
        for round in 0..<6 {
            let snapshot = directory.snapshot
            #expect(revisions.insert(snapshot.revision).inserted)
            for choice in choices {
                let list = ContactList(choice, of: snapshot)
                #expect((0..<list.count).map { list[$0].id } == ids(choice), "round \(round), \(choice)")
            }
            directory.put(contact(round, &numbers), in: 0)
            directory.put(contact(1_000 + round, &numbers), in: round % 2)
            for number in 0..<100 { directory.remove("id\(100 * round + number + 20)") }
            if round == 3 {
                directory.begin { $0 == 0 }
                for index in 0..<300 { directory.put(PackedContact(contact(299 - index, &numbers)), at: index, in: 0) }
                _ = directory.finish(0)
            }
        }
    }

    @Test func `A change makes one block again and shares the others`() {
        for number in 0..<1_000 { directory.put(Contact(id: "\(number)"), in: 0) }
        let before = directory.snapshot
        #expect(before.blocks.count == 8 && directory.snapshot === before)
        directory.put(Contact(id: "300"), in: 0)
        directory.remove("301")
        let after = directory.snapshot
        #expect(
            zip(before.blocks, after.blocks).map { $0 === $1 } == [true, true] + [false]
                + Array(repeating: true, count: 5))
        #expect(after.count == 999 && before.count == 1_000)
    }

    @Test func `A page continues behind the contact the last one ended with`() {
        for number in 0..<300 { directory.put(Contact(id: "\(number)"), in: 0) }
        let cursor = ContactCursor(offset: 200, id: "199")
        #expect(ContactList(of: directory.snapshot).row(after: cursor) == 200)
        for number in 0..<50 { directory.remove("\(number)") }
        #expect(ContactList(of: directory.snapshot).row(after: cursor) == 150)
        directory.remove("199")
        #expect(ContactList(of: directory.snapshot).row(after: cursor) == 200)
    }

    @Test func `Lines of pages are those of their contacts, also after a change`() {
        for number in 0..<200 { directory.put(Contact(id: "\(number)"), in: 0) }
        func page() -> String {
            var json: [UInt8] = []
            ContactList(of: directory.snapshot).add(120..<135, to: &json)
            return String(decoding: json, as: UTF8.self)
        }
        func expected() -> String {
            let contacts = directory.contacts.all[120..<135].map(\.contact)
            return contacts.map { String(decoding: ContactDocument.bytes($0), as: UTF8.self) }.joined(separator: ",")
        }
        for _ in 0..<2 { #expect(page() == expected()) }
        var other = Contact(id: "125")
        other.title = "Countess"
        directory.put(other, in: 0)
        #expect(page() == expected() && page().contains("Countess"))
    }

    @Test func `Lines of a search end with their matches, which other lists lack`() {
        for number in 0..<200 {
            var contact = Contact(id: "\(number)")
            contact.organisation = ["Harbour \"Pilots\" \(number)"]
            directory.put(contact, in: 0)
        }
        func page(_ search: String) -> String {
            var json: [UInt8] = []
            let choice = ContactQuery.Choice(search: search)
            ContactList(choice, of: directory.snapshot).add(0..<1, to: &json)
            return String(decoding: json, as: UTF8.self)
        }
        let plain = page("")
        for _ in 0..<2 {
            #expect(
                page("pilots 0") == plain.dropLast()
                    + #","match":{"field":"company","text":"Harbour \"Pilots\" 0","ranges":[[9,6],[17,1]]}}"#)
            #expect(page("") == plain)
        }
    }

    @Test func `A search folds no texts before it is made, and keeps those of blocks that do not change`() {
        for number in 0..<300 { directory.put(Contact(id: "\(number)"), in: 0) }
        directory.snapshot.prepare()
        _ = ContactList(ContactQuery.Choice(sort: ContactSort(.given)), of: directory.snapshot)
        #expect(directory.snapshot.blocks.map { $0.isSearched } == [false, false, false])
        _ = ContactList(ContactQuery.Choice(search: "a"), of: directory.snapshot)
        #expect(directory.snapshot.blocks.map { $0.isSearched } == [true, true, true])
        directory.remove("0")
        #expect(directory.snapshot.blocks.map { $0.isSearched } == [false, true, true])
    }

    @Test func `A queue of searches that is full refuses, and lists and groups do not wait behind it`() async throws {
        for number in 0..<3 { directory.put(Contact(id: "\(number)"), in: 0) }
        let lists = ContactLists(depth: 2)
        lists.pauseSearches(true)
        let snapshot = directory.snapshot
        await withTaskGroup { group in
            for word in ["1", "2"] {
                group.addTask { _ = try? await lists.list(ContactQuery.Choice(search: word), of: snapshot) }
            }
            #expect(await eventually { lists.searchCounters.queued >= 2 })
            await #expect(throws: ProblemDetails.queueFull) {
                try await lists.list(ContactQuery.Choice(search: "3"), of: snapshot)
            }
            #expect((try? await lists.list(ContactQuery.Choice(), of: snapshot).count) == 3)
            #expect((try? await lists.list(ContactQuery.Choice(sort: ContactSort(.family)), of: snapshot).count) == 3)
            #expect((try? await lists.groups(of: snapshot)) == [])
            lists.pauseSearches(false)
        }
        #expect(lists.searchCounters.refused == 1)
    }

    @Test func `Lists, groups and known orders do not wait behind orders in thirty languages`() async throws {
        for number in 0..<3 { directory.put(Contact(id: "\(number)"), in: 0) }
        let lists = ContactLists()
        let snapshot = directory.snapshot
        let known = ContactQuery.Choice(sort: ContactSort(.given))
        _ = try await lists.list(known, of: snapshot)
        lists.pauseOrders(true)
        await withTaskGroup { group in
            for number in 0..<30 {
                let sort = ContactSort(.family, locale: "x\(number)")
                group.addTask { _ = try? await lists.list(ContactQuery.Choice(sort: sort), of: snapshot) }
            }
            #expect(await eventually { lists.orderCounters.queued >= 30 })
            #expect(
                (try? await lists.list(ContactQuery.Choice(filter: ContactFilter([.email])), of: snapshot).count) == 0)
            #expect((try? await lists.groups(of: snapshot)) == [])
            #expect((try? await lists.list(known, of: snapshot).count) == 3)
            #expect((try? await lists.list(ContactQuery.Choice(search: "1"), of: snapshot)) != nil)
            lists.pauseOrders(false)
        }
    }
}

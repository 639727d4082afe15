import Dispatch
import Foundation
import Testing
import TondoFiles

@testable import TondoCache

/// Names of who shows an entry, which are anything that an address book may hold.
@Suite struct ContactTests {
    @Test(arguments: ["b o\n", "\r", "\u{E9}", "e\u{301}", "%00", "contact=x", "\u{1F468}\u{200D}\u{1F469}", "'; DROP"])
    func aNameIsTheSameInTheFileInTheIndexAndInAnIndexMadeAnew(name: String) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        let image = TestImage(1)
        try cache.store(image, contacts: [name])
        #expect(try cache.entry(image.key)?.contacts == [name])
        _ = try cache.rebuildIndex()
        #expect(try cache.entry(image.key)?.contacts == [name])
        var query = EntryQuery()
        query.contact = name
        #expect(try cache.entries(query).map(\.key) == [image.key])
    }

    @Test(arguments: ["a\0b", "\0", "", String(repeating: "x", count: 100_000)])
    func aNameThatCannotBeOneIsNotKept(name: String) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        let image = TestImage(1)
        try cache.store(image, contacts: ["ada", name, "bo"])
        let size = try folder.state(folder.name(of: image.key)).size
        #expect(size < image.png.count + 1000)
        #expect(try cache.entry(image.key)?.contacts == ["ada", "bo"])
        #expect(try cache.read(#require(cache.lookup(image.key)))?.contacts == ["ada", "bo"])
    }

    @Test func anEntryShowsTheContactsThatItNamesAndNoOthers() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        let image = TestImage(1)
        let names = ["ada b", "100%", "contact=cy", "дора"]
        try cache.store(image, contacts: names)
        let hit = try #require(cache.lookup(image.key))
        let avatar = try #require(try cache.read(hit))
        for name in names { #expect(avatar.shows(name)) }
        for name in ["ada", "b", "100", "cy", "ada%20b", "дор", "", "contact"] {
            #expect(!avatar.shows(name) && avatar.lacks(name), "\(name)")
        }
    }

    @Test func namesBeyondThe64thAreKeptNowhere() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        let image = TestImage(1)
        let names = (0..<100).map(String.init)
        try cache.store(image, contacts: names)
        try cache.add(contacts: ["one more"], to: image.key)
        #expect(try cache.entry(image.key)?.contacts == Array(names[..<64]))
        let hit = try #require(cache.lookup(image.key))
        let avatar = try #require(try cache.read(hit))
        #expect(avatar.contacts == Array(names[..<64]) && !avatar.lacks("one more"))
    }

    @Test func anEntryThatIsFullOfNamesIsNotWrittenAgain() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        let image = TestImage(1)
        try cache.store(image, contacts: (0..<64).map(String.init))
        let inode = try folder.state(folder.name(of: image.key)).inode
        try cache.add(contacts: ["one more"], to: image.key)
        #expect(try folder.state(folder.name(of: image.key)).inode == inode)
    }

    @Test func aNameThatIsKnownIsNotAddedAgain() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        let image = TestImage(1)
        try cache.store(image, contacts: ["ada", "ada", "bo"])
        try cache.add(contacts: ["bo", "ada", "cy"], to: image.key)
        #expect(try cache.entry(image.key)?.contacts == ["ada", "bo", "cy"])
    }

    @Test(arguments: [[], ["bo"]])
    func storingAgainKeepsTheNamesThatAreKnown(more: [String]) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        let image = TestImage(1)
        try cache.store(image, contacts: ["ada"])
        try cache.store(image, contacts: more)
        #expect(try cache.read(#require(cache.lookup(image.key)))?.contacts == ["ada"] + more)
        #expect(try cache.entry(image.key)?.contacts == ["ada"] + more)
    }

    @Test func whoeverStoresAPictureAtTheSameTimeAsOthersKeepsTheirNames() throws {
        let folder = try TemporaryCache()
        let caches = try (0..<4).map { _ in try folder.open() }
        for number in 0..<50 {
            let image = TestImage(number)
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                try? caches[thread].store(image, contacts: ["\(thread)"])
            }
            let avatar = try caches[0].read(#require(caches[0].lookup(image.key)))
            #expect(avatar?.contacts.sorted() == ["0", "1", "2", "3"])
        }
        for cache in caches { cache.flush() }
        #expect(try caches[0].verify(isRepairing: false).isClean)
        #expect(try caches[0].entry(TestImage(1).key)?.contacts.count == 4)
    }

    @Test(arguments: [1, 2, 3])
    func aNewEntryHasNoneOfTheNamesThatADamagedIndexHoldsForItsNumber(number: Int) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        cache.close()
        try folder.tamper("INSERT INTO contacts VALUES ('eve', \(number), 0)")
        for number in 0..<4 { try cache.store(TestImage(number), contacts: number == 3 ? [] : ["ada"]) }
        for number in 0..<3 { #expect(try cache.entry(TestImage(number).key)?.contacts == ["ada"]) }
        #expect(try cache.entry(TestImage(3).key)?.contacts == [])
    }

    @Test func namesOfAnEntryThatWasRemovedAreForgotten() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        let image = TestImage(1)
        try cache.store(image, contacts: ["ada"])
        cache.flush()
        try cache.remove(image.key)
        try cache.store(image, contacts: ["bo"])
        #expect(try cache.entry(image.key)?.contacts == ["bo"])
    }

    @Test func namesThatAnotherCacheAddedMeanwhileStay() throws {
        let folder = try TemporaryCache()
        let (first, second) = (try folder.open(), try folder.open())
        let image = TestImage(1)
        try first.store(image, contacts: ["ada"], cost: 1)
        try second.add(contacts: ["bo"], to: image.key)
        second.flush()
        first.flush()
        #expect(try first.entry(image.key)?.contacts == ["ada", "bo"])
    }

    @Test func whatAContactShowedIsRememberedUnderItsWholeName() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        for (number, name) in ["ada", "bo\nada", "ada\n", "\"ada\"", "ad"].enumerated() {
            try cache.store(TestImage(number), contacts: [name, "bo"])
        }
        _ = try cache.prune(maxSize: 0)
        #expect(try cache.removalRecords(contact: "ada").map(\.key) == [TestImage(0).key])
        #expect(try cache.removalRecords(contact: "ada\n").map(\.key) == [TestImage(2).key])
        #expect(try cache.removalRecords(contact: "bo").count == 5)
    }

    @Test func addingANameToWhatIsGoneDoesNothing() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.add(contacts: ["ada"], to: TestImage(1).key)
        #expect(try folder.files(below: "objects") == [])
    }
}

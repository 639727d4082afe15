import Dispatch
import Synchronization
import SystemPackage
import Testing
import TondoContacts
import TondoTestSupport

@testable import TondoAvatars

/// Each file is read and written once, however many of its contacts go or come back.
@Suite struct ManyContactsTests {
    private let people: VCardFolder
    private let names = (100..<400).map { "p\($0)" }

    init() throws {
        people = try VCardFolder()
        try people.folder.write(VCardFolder.cards(names), to: "people/all.vcf")
    }

    @Test func `Many contacts of one file cost one change of it`() throws {
        let read = try people.read()
        let changes = Atomic<Int>(0)
        var removal = BookChange(read.book, read.contents, trash: people.trash)
        removal.interruption = { _ in changes.add(1, ordering: .relaxed) }
        let gone = read.contents.contacts.filter { Int($0.id.dropFirst()).map { $0 % 2 == 0 } ?? false }
        let outcomes = removal.remove(gone, now: 5)
        #expect(outcomes.count == 150 && outcomes.allSatisfy { $0.problem == nil })
        #expect(changes.load(ordering: .relaxed) == 1)
        #expect(
            try people.folder.bytes("people/all.vcf")
                == VCardFolder.cards(names.filter { Int($0.dropFirst())! % 2 == 1 }))
        try expectRestored(changes: 1) { _ in }
    }

    @Test func `Many contacts come back by few changes after another program changed the file`() throws {
        let read = try people.read()
        let gone = read.contents.contacts.filter { $0.id.hasPrefix("p2") }
        _ = BookChange(read.book, read.contents, trash: people.trash).remove(gone, now: 5)
        let left = try people.folder.bytes("people/all.vcf")
        try people.folder.write(left + VCardFolder.card("zoe"), to: "people/all.vcf")
        try expectRestored(changes: 1) { $0 += VCardFolder.card("zoe") }
    }

    /// `changes`: of the file.
    private func expectRestored(changes expected: Int, _ change: (inout [UInt8]) -> Void) throws {
        let changes = Atomic<Int>(0)
        var restoration = ContactRestoration(people.trash)
        restoration.interruption = { _ in changes.add(1, ordering: .relaxed) }
        let results = restoration.restore(people.trash.contents().items)
        for result in results { #expect(try result.get() == .restored) }
        #expect(changes.load(ordering: .relaxed) == expected)
        var whole = VCardFolder.cards(names)
        change(&whole)
        #expect(try people.folder.bytes("people/all.vcf") == whole)
        #expect(people.removed == [])
    }

    @Test func `Contacts of a deleted file come back by one change`() throws {
        let read = try people.read()
        let gone = read.contents.contacts.filter { $0.id.hasPrefix("p") }
        _ = BookChange(read.book, read.contents, trash: people.trash).remove(gone, now: 5)
        #expect(try people.folder.names(in: "people") == ["ada.vcf", "office"])
        let results = ContactRestoration(people.trash).restore(people.trash.contents().items)
        for result in results { #expect(try result.get() == .restored) }
        #expect(try people.folder.bytes("people/all.vcf") == VCardFolder.cards(names))
    }

    @Test func `One that does not fit does not hold up the others`() throws {
        try people.remove("p100", "p102")
        try people.folder.write(VCardFolder.card("p100"), to: "people/office/zoe.vcf")
        let record = people.trash.contents().items.map(\.record).first { $0.id == "p100" }
        var strange = try #require(record)
        strange.format = "csv"
        _ = try people.trash.keep([strange])
        let results = ContactRestoration(people.trash).restore(people.trash.contents().items)
        #expect(results.count { (try? $0.get()) == .restored } == 2)
        #expect(people.removed == ["p100"])
        #expect(try people.folder.bytes("people/all.vcf") == VCardFolder.cards(names))
    }

    /// All of them read the book before the first one changes it.
    @Test func `Removals at once find their contacts where those are by now`() throws {
        let reads = try names.prefix(12).map { ($0, try people.read()) }
        let problems = Mutex<[ChangeProblem?]>([])
        DispatchQueue.concurrentPerform(iterations: reads.count) { index in
            let (id, read) = reads[index]
            let removal = BookChange(read.book, read.contents, trash: people.trash)
            let outcomes = removal.remove(people.contacts(id, of: read), now: 5)
            problems.withLock { $0 += outcomes.map(\.problem) }
        }
        #expect(problems.withLock { $0 } == Array(repeating: nil, count: 12))
        #expect(try people.folder.bytes("people/all.vcf") == VCardFolder.cards(Array(names.dropFirst(12))))
    }

    @Test func `A contact that was removed or changed meanwhile is not taken for an equal one`() throws {
        let card = "BEGIN:VCARD\r\nFN:Twin\r\nEND:VCARD\r\n"
        try people.folder.write(
            Array((card + card + "BEGIN:VCARD\r\nFN:Bo\r\nEND:VCARD\r\n").utf8), to: "people/all.vcf")
        let (first, second) = (try people.read(), try people.read())
        func twin(_ read: ReadBook) -> Contact { read.contents.contacts.first { $0.displayName == "Twin" }! }
        let removal = BookChange(first.book, first.contents, trash: people.trash)
        #expect(removal.remove([twin(first)], now: 5).map(\.problem) == [nil])
        let later = BookChange(second.book, second.contents, trash: people.trash)
        let file = people.path.appending("all.vcf")
        #expect(later.remove([twin(second)], now: 5).map(\.problem) == [.book(file, .contactMoved)])
        #expect(try people.read().contents.contacts.count { $0.displayName == "Twin" } == 1)
    }
}

import Testing
import TondoContacts
import TondoTestSupport

@testable import TondoAvatars

/// A user ends a command that changes several files: it ends between two of them.
@Suite struct StoppedChangeTests {
    private let people: VCardFolder
    /// Whether the first file was changed.
    private let isChanged = Locked(false)

    init() throws { people = try VCardFolder() }

    @Test func `A removal ends behind the file in progress, and what is left has a reason`() throws {
        let read = try people.read()
        var removal = BookChange(read.book, read.contents, trash: people.trash)
        removal.interruption = { [isChanged] _ in isChanged.withLock { $0 = true } }
        removal.isStopped = { [isChanged] in isChanged.withLock { $0 } }
        let outcomes = removal.remove(people.contacts("ada", "carl", "bo", "dora", of: read), now: 5)
        #expect(outcomes.map(\.contact.id) == ["ada", "carl", "bo", "dora"])
        #expect(outcomes.map(\.problem) == [nil, .interrupted, .interrupted, .interrupted])
        #expect(people.removed == ["ada"])
        #expect(try people.read().contents.contacts.count == 4)
    }

    @Test func `A restoration ends behind the file in progress, and the trash keeps what is left`() throws {
        try people.remove("ada", "bo", "carl")
        var restoration = ContactRestoration(people.trash)
        let looks = Locked(0)
        // Asked before each file.
        restoration.isStopped = {
            looks.withLock { looks in
                looks += 1
                return looks > 1
            }
        }
        let results = restoration.restore(people.trash.contents().items)
        #expect(results.count == 3)
        #expect(results[0] == .success(.restored) && results[1...].allSatisfy { $0 == .failure(.interrupted) })
        #expect(people.removed.count == 2)
    }
}

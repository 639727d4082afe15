import Testing
import TondoContacts

@testable import TondoAvatars

@Suite struct AvatarBacklogTests {
    private static func backlog(_ ids: String...) -> AvatarBacklog {
        var backlog = AvatarBacklog()
        for id in ids { _ = backlog.add(AvatarBacklog.PendingContact(Contact(id: id))) }
        return backlog
    }

    private func all(_ backlog: AvatarBacklog) -> [String] {
        var (backlog, ids) = (backlog, [String]())
        while let item = backlog.take() { ids.append(item.contact.id) }
        return ids
    }

    @Test func `The first who come are the first`() { #expect(all(Self.backlog("a", "b", "c")) == ["a", "b", "c"]) }

    @Test func `Those who are looked at go ahead`() {
        var backlog = Self.backlog("a", "b", "c", "d")
        backlog.show(["d", "b"])
        #expect(all(backlog) == ["d", "b", "a", "c"])
    }

    @Test func `Those who are looked at go ahead also when they come later`() {
        var backlog = AvatarBacklog()
        backlog.show(["c"])
        for id in ["a", "b", "c"] { _ = backlog.add(AvatarBacklog.PendingContact(Contact(id: id))) }
        #expect(all(backlog) == ["c", "a", "b"])
    }

    @Test(arguments: [[], ["b"]])
    func `A want takes the place of an earlier one of its contact`(_ shown: [String]) {
        var backlog = Self.backlog("a", "b", "c")
        backlog.show(shown)
        let isReplaced = backlog.add(AvatarBacklog.PendingContact(Contact(id: "b"), number: 7))
        #expect(isReplaced)
        #expect(backlog.count == 3)
        var taken: [String: UInt64] = [:]
        while let item = backlog.take() { #expect(taken.updateValue(item.number, forKey: item.contact.id) == nil) }
        #expect(taken == ["a": 0, "b": 7, "c": 0])
        let isReplacedWhenTaken = backlog.add(AvatarBacklog.PendingContact(Contact(id: "b")))
        #expect(!isReplacedWhenTaken)
    }

    @Test func `Emptying returns the number of wants`() {
        var backlog = Self.backlog("a", "b", "c")
        backlog.show(["c"])
        _ = backlog.take()
        #expect(backlog.removeAll() == 2)
        #expect(backlog.take() == nil && backlog.count == 0)
    }
}

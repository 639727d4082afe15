import Testing
import TondoContacts

@testable import TondoAvatars

@Suite struct AvatarBacklogTests {
    private static func backlog(_ ids: String...) -> AvatarBacklog {
        var backlog = AvatarBacklog()
        for id in ids { backlog.add(AvatarBacklog.Item(Contact(id: id))) }
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
        for id in ["a", "b", "c"] { backlog.add(AvatarBacklog.Item(Contact(id: id))) }
        #expect(all(backlog) == ["c", "a", "b"])
    }

    @Test func `Emptying returns the number of wants`() {
        var backlog = Self.backlog("a", "b", "c")
        backlog.show(["c"])
        _ = backlog.take()
        #expect(backlog.removeAll() == 2)
        #expect(backlog.take() == nil && backlog.count == 0)
    }
}

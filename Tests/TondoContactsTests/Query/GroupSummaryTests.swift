import Testing

@testable import TondoContacts

@Suite struct GroupSummaryTests {
    private func contact(_ groups: [ContactGroup], online: Bool? = nil) -> Contact {
        var contact = Contact(id: "a")
        (contact.groups, contact.isOnline) = (groups, online)
        return contact
    }

    @Test func `Members and those online are counted`() {
        let friends = ContactGroup("Friends")
        let groups = GroupSummary.all(of: [
            contact([friends, ContactGroup("Work")], online: true), contact([friends], online: false),
            contact([friends]),
        ])
        #expect(
            groups == [
                GroupSummary(id: "Friends", name: "Friends", total: 3, online: 1),
                GroupSummary(id: "Work", name: "Work", total: 1, online: 1),
            ])
    }

    @Test func `A declared online count wins`() {
        let groups = GroupSummary.all(of: [contact([ContactGroup("G", online: 5)], online: true)])
        #expect(groups == [GroupSummary(id: "G", name: "G", total: 1, online: 5)])
    }

    @Test func `Equal names are different groups when their ids differ`() {
        let groups = GroupSummary.all(of: [
            contact([ContactGroup("Same", id: "1")]), contact([ContactGroup("Same", id: "2")]),
        ])
        #expect(groups.map(\.total) == [1, 1])
    }

    @Test func `Declared groups come first, even without members`() {
        let groups = GroupSummary.all(
            of: [contact([ContactGroup("B")])], declared: [ContactGroup("A", online: 1), ContactGroup("B", online: 0)])
        #expect(groups.map(\.name) == ["A", "B"])
        #expect(groups.map(\.total) == [0, 1])
        #expect(groups.map(\.online) == [1, 0])
    }

    @Test func `Names that differ in letter case are one group, under the first of them`() {
        let groups = GroupSummary.all(of: [
            contact([ContactGroup("Friends")]), contact([ContactGroup("friends"), ContactGroup("FRIENDS ")]),
            contact([ContactGroup("friends", id: "1")]),
        ])
        #expect(groups.map(\.name) == ["Friends", "friends"])
        #expect(groups.map(\.total) == [2, 1])
    }

    @Test func `A contact counts once in a group, and groups are no members`() {
        var group = contact([ContactGroup("G")])
        group.kind = .group
        let groups = GroupSummary.all(of: [group, contact([ContactGroup("G"), ContactGroup("G")])])
        #expect(groups.map(\.total) == [1])
    }
}

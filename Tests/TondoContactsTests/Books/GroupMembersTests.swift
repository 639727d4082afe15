import Testing

@testable import TondoContacts

@Suite struct GroupMembersTests {
    private func group(_ name: String, _ members: String...) -> Contact {
        var group = Contact(id: name)
        group.kind = .group
        group.name.formatted = name
        group.members = members
        return group
    }

    /// Comparing each group with each would take hours here.
    @Test func `A person whom half a million groups name is read in no time`() {
        var merger = ContactMerger()
        for number in 0..<500_000 { merger.add(group: group("G\(number)", "ada")) }
        let contact = merger.add(Contact(id: "ada"))
        #expect(contact.groups.count == BookLimits.standard.groupsOfContact)
        #expect(contact.groups.first?.name == "G0")
    }

    @Test func `A group that names a person twice is one group`() {
        var ada = Contact(id: "ada")
        ada.emails = [ContactPoint("ada@example.org")]
        ada.groups = [ContactGroup("Own"), ContactGroup("Work")]
        var merger = ContactMerger()
        merger.add(group: group("Friends", "ada", "mailto:ada@example.org"))
        merger.add(group: group("Work", "ada"))
        #expect(merger.add(ada).groups.map(\.name) == ["Own", "Work", "Friends"])
    }

    @Test func `A group names people by numbers in any notation`() {
        var ada = Contact(id: "ada")
        ada.phones = [ContactPoint("+49 (431) 55 01")]
        var merger = ContactMerger()
        merger.add(group: group("Friends", "tel:+49-431-5501"))
        merger.add(group: group("Others", "tel:+49-431-5502"))
        #expect(merger.add(ada).groups.map(\.name) == ["Friends"])
    }

    /// The first ones are compared one by one, the others looked up in a set.
    @Test func `Each of many groups is there once`() {
        var groups = UniqueGroups(groups: [ContactGroup("0")])
        let names = (0..<50).map { "\($0 % 40)" }
        groups.add((names + names.reversed()).map { ContactGroup($0) })
        #expect(groups.groups.map(\.name) == (0..<40).map { "\($0)" })
    }

    @Test func `Groups beyond the limit are left out`() {
        var groups = UniqueGroups(groups: [ContactGroup("a")], limit: 3)
        groups.add(["b", "a", "c", "d"].map { ContactGroup($0) })
        #expect(groups.groups.map(\.name) == ["a", "b", "c"])
    }

    @Test func `The members of a group in a group are in both, also where each is in the other`() {
        var merger = ContactMerger()
        merger.add(group: group("Inner", "ada", "Outer"))
        merger.add(group: group("Outer", "Inner", "bo"))
        #expect(merger.add(Contact(id: "ada")).groups.map(\.name) == ["Inner", "Outer"])
        #expect(merger.add(Contact(id: "bo")).groups.map(\.name) == ["Outer", "Inner"])
    }

    @Test func `Of two groups with one name each may be in another one`() {
        var second = group("Inner", "bo")
        second.id = "second"
        var merger = ContactMerger()
        merger.add(group: group("Inner", "ada"))
        merger.add(group: second)
        merger.add(group: group("Outer", "Inner"))
        #expect(merger.add(Contact(id: "ada")).groups.map(\.name) == ["Inner", "Outer"])
    }

    @Test func `A group names people by their accounts, too`() {
        var ada = Contact(id: "ada")
        ada.social = [ContactPoint("Ada@example.org", types: ["xmpp"]), ContactPoint("a@im.example.org")]
        var merger = ContactMerger()
        merger.add(group: group("Chat", "XMPP:ada@example.org"))
        merger.add(group: group("Other", "sip:ada@example.org"))
        merger.add(group: group("Messages", "im:a@im.example.org"))
        #expect(merger.add(ada).groups.map(\.name) == ["Chat", "Messages"])
    }

    /// Each in each, the work for a person would be a billion steps here.
    @Test func `Thousands of groups in each other are read in no time`() {
        var merger = ContactMerger()
        let names = (0..<2_000).map { "G\($0)" }
        for name in names {
            var group = group(name, "ada")
            group.members += names
            merger.add(group: group)
        }
        #expect(merger.add(Contact(id: "ada")).groups.count == BookLimits.standard.groupsOfContact)
    }
}

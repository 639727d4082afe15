import Testing

@testable import TondoContacts

@Suite struct ContactFilterTests {
    private func contact(_ messengers: [Messenger], phone: Bool = false, email: Bool = false) -> Contact {
        var contact = Contact(id: "a")
        for messenger in messengers { contact.messengers[messenger] = "" }
        if phone { contact.phones = [ContactPoint("1")] }
        if email { contact.emails = [ContactPoint("a@example.org")] }
        return contact
    }

    @Test func `All chosen ways must be there`() throws {
        let filter = try #require(ContactFilter("telegram, Email,viber"))
        #expect(filter.passes(contact([.telegram, .viber, .signal], email: true)))
        #expect(!filter.passes(contact([.telegram, .viber], phone: true)))
        #expect(!filter.passes(contact([.telegram], email: true)))
    }

    @Test(arguments: ContactFilter.Channel.allCases) func `Every way has a word and filters by itself`(
        channel: ContactFilter.Channel
    ) {
        let filter = ContactFilter(channel.word)
        #expect(filter == ContactFilter([channel]))
        #expect(filter?.passes(contact(Messenger.allCases, phone: true, email: true)) == true)
        #expect(filter?.passes(contact([])) == false)
    }

    @Test func `Without a way every contact passes, and unknown words are refused`() {
        #expect(ContactFilter("")?.passes(contact([])) == true)
        #expect(ContactFilter("telegram,icq") == nil)
    }

    @Test func `An empty number is none`() {
        var contact = Contact(id: "a")
        contact.phones = [ContactPoint("")]
        #expect(!ContactFilter([.phone]).passes(contact))
    }
}

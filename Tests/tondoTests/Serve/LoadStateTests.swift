import Testing
import TondoAvatars

@testable import TondoServer
@testable import tondo

@Suite struct LoadStateTests {
    private func text(_ change: (inout AddressBookService.Progress) -> Void) -> String {
        var progress = AddressBookService.Progress(book: 0)
        change(&progress)
        return LoadState([progress]).text
    }

    @Test func `How far a book is fits in one line`() {
        #expect(LoadState([]).text == "0 contacts, 0 avatars")
        #expect(text { _ in } == "0 contacts, 0 avatars")
        #expect(text { ($0.total, $0.people, $0.avatars) = (2_000, 412, 380) } == "412 of 2000 contacts, 380 avatars")
        #expect(
            text { ($0.total, $0.people, $0.avatars, $0.failed, $0.isLoaded) = (1, 1, 1, 2, true) }
                == "1 contact, 1 avatar, 2 failed")
        #expect(
            text { $0.unreadable = UnreadableParts(count: 2) }
                == "0 contacts, 0 avatars, folders or files unreadable: 2")
        #expect(text { $0.problem = "file-missing" } == "0 contacts, 0 avatars, 1 book unreadable")
    }
}

import Testing

@testable import TondoMirror

struct DeletionGuardTests {
    private static func ids(_ count: Int) -> Set<String> { Set((0..<count).map(String.init)) }

    @Test(arguments: [
        (members: 100, gone: 0, permitted: true),
        (members: 100, gone: 10, permitted: true),
        (members: 100, gone: 20, permitted: true),
        (members: 100, gone: 21, permitted: false),
        (members: 30, gone: 10, permitted: true),
        (members: 30, gone: 11, permitted: false),
        (members: 10, gone: 9, permitted: true),
        (members: 10, gone: 10, permitted: false),
        (members: 1, gone: 1, permitted: false),
        (members: 0, gone: 0, permitted: true),
    ])
    func `deleting everything, or more than a fifth and ten cards, is withheld`(
        members: Int, gone: Int, permitted: Bool
    ) {
        #expect(DeletionGuard(members: members, withheld: []).permits(Self.ids(gone)) == permitted)
    }

    @Test
    func `a second run that agrees deletes`() {
        #expect(DeletionGuard(members: 50, withheld: Self.ids(50)).permits(Self.ids(50)))
        #expect(DeletionGuard(members: 50, withheld: Self.ids(50)).permits(Self.ids(40)))
    }

    @Test
    func `a second run that would delete others is withheld again`() {
        #expect(!DeletionGuard(members: 50, withheld: Self.ids(40)).permits(Self.ids(41)))
    }
}

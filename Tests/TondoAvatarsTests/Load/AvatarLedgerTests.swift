import Testing
import TondoCache
import TondoImage

@testable import TondoAvatars

@Suite struct AvatarLedgerTests {
    private func avatars(_ name: String, _ source: Avatar.Source = .rendered) -> [Avatar] {
        [16, 20].map { size in
            Avatar(
                style: Style(size: size), key: CacheKey(recipe: "\(name) \(size)"), source: source, isStored: true,
                bytes: [],
                milliseconds: 0)
        }
    }

    private var ledger = AvatarLedger(styles: 2, tracksChanges: true)

    @Test mutating func `Avatars that stay the same are reported once`() {
        let first = ledger.report(avatars("a"), of: "ada", isPlaceholder: false)
        #expect(first == [AvatarTally(ready: 1), AvatarTally(ready: 1)])
        #expect(ledger.report(avatars("a"), of: "ada", isPlaceholder: false) == nil)
        #expect(ledger.report(avatars("b"), of: "ada", isPlaceholder: false) == [AvatarTally(), AvatarTally()])
        #expect(ledger.summary.avatars == 2 && ledger.summary.rendered == 2 && ledger.summary.cached == 0)
    }

    @Test mutating func `Avatars of a new photo are reported although they are the same, and counted once`() {
        _ = ledger.report(avatars("a"), of: "ada", isPlaceholder: false)
        ledger.forgetReport(of: "ada")
        ledger.forgetReport(of: "bo")
        #expect(ledger.lastKeys(of: "ada") == nil)
        #expect(ledger.report(avatars("a"), of: "ada", isPlaceholder: false) == [AvatarTally(), AvatarTally()])
        #expect(ledger.report(avatars("b"), of: "bo", isPlaceholder: false)?.first == AvatarTally(ready: 1))
        #expect(ledger.summary.avatars == 4)
    }

    @Test mutating func `A failure counts once, and its placeholder is reported after each`() {
        for count in [1, 0] {
            #expect(ledger.reportFailure(of: "ada") == AvatarTally(failed: count))
            #expect(ledger.report(avatars("none"), of: "ada", isPlaceholder: true)?.count == 2)
        }
        #expect(ledger.summary.failed == 1)
    }

    @Test mutating func `A photo that failed and is no more is no failure, though the placeholder stays`() {
        _ = ledger.reportFailure(of: "ada")
        _ = ledger.report(avatars("none"), of: "ada", isPlaceholder: true)
        let tallies = ledger.report(avatars("none"), of: "ada", isPlaceholder: false)
        #expect(tallies == [AvatarTally(failed: -1), AvatarTally()])
        #expect(ledger.summary.failed == 0 && ledger.forget("ada") == AvatarTally(ready: -2))
    }

    @Test mutating func `A contact that goes takes its numbers along`() {
        _ = ledger.reportFailure(of: "ada")
        #expect(ledger.forget("ada") == AvatarTally(failed: -1))
        #expect(ledger.forget("bo") == AvatarTally())
    }
}

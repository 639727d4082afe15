import Testing

@testable import TondoServer

@Suite struct PhotoChecksTests {
    private let checks = PhotoChecks()

    @Test func `A request during which the loader did not look is current`() {
        checks.noteLook("ada")
        let check = checks.begin("ada")
        checks.noteLook("bo")
        #expect(checks.end(check) { true })
        #expect(!checks.end(checks.begin("ada")) { false })
    }

    @Test func `A request that began before the loader looked is outdated, and a later one is current`() {
        let early = checks.begin("ada")
        checks.noteLook("ada")
        let late = checks.begin("ada")
        #expect(checks.end(late) { true })
        #expect(!checks.end(early) { true })
        let last = checks.begin("ada")
        #expect(checks.end(last) { true })
    }

    @Test func `Requests for one contact end on their own`() {
        let all = (0..<3).map { _ in checks.begin("ada") }
        #expect(checks.end(all[1]) { true })
        checks.noteLook("ada")
        #expect(!checks.end(all[0]) { true } && !checks.end(all[2]) { true })
    }
}

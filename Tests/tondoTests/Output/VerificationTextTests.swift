import Testing

@testable import TondoCache
@testable import tondo

@Suite struct VerificationTextTests {
    private func summary(
        _ repaired: [Bool], isRepairing: Bool = false, isInterrupted: Bool = false, isIndexIntact: Bool = true
    ) -> String {
        var verification = Verification()
        (verification.entries, verification.bytes) = (1200, 5000)
        verification.isIndexIntact = isIndexIntact
        verification.problems = repaired.map {
            .init(kind: .stray, name: "tmp/x", reason: "left behind", isRepaired: $0)
        }
        return VerificationText(verification: verification, isRepairing: isRepairing, isInterrupted: isInterrupted)
            .summary
    }

    @Test func `All is well only when all was looked at`() {
        #expect(summary([]) == "1,200 entries, 5.0 kB checked: no problems\n")
        #expect(
            summary([], isInterrupted: true) == "interrupted: 1,200 entries, 5.0 kB checked: no problems so far\n")
    }

    @Test func `Problems are counted with what to do about them`() {
        #expect(summary([false]).hasSuffix(" checked: 1 problem; --repair fixes it\n"))
        #expect(summary([false, false]).hasSuffix(" checked: 2 problems; --repair fixes them\n"))
    }

    @Test func `A damaged index is reported, with other problems or without`() {
        #expect(summary([], isIndexIntact: false).hasSuffix(" checked: the index was damaged\n"))
        #expect(
            summary([false], isIndexIntact: false).hasSuffix(
                " checked: the index was damaged; 1 problem; --repair fixes it\n"))
    }

    @Test func `What could not be mended is counted`() {
        #expect(summary([true, true], isRepairing: true).hasSuffix(": 2 problems, repaired\n"))
        #expect(summary([true, false], isRepairing: true).hasSuffix(": 2 problems, 1 repaired\n"))
    }

    @Test func `A name that would upset a terminal is made legible`() {
        var verification = Verification()
        verification.problems = [.init(kind: .foreign, name: "objects/a\u{1B}[2J", reason: "not an entry's name")]
        let text = VerificationText(verification: verification, isRepairing: true, isInterrupted: false).problems
        #expect(text == #"foreign: objects/a\u{1B}[2J: not an entry's name (could not be repaired)"# + "\n")
    }
}

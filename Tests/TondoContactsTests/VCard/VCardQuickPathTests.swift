import Testing
import TondoTestSupport

@testable import TondoContacts

/// Most lines of a file are passed without a look at all of them. What is found is the same as with one.
@Suite struct VCardQuickPathTests {
    private static let lines = [
        "BEGIN:VCARD", "END:VCARD", "begin:vcard", "end : vcard", "AGENT:", "AGENT:BEGIN:VCARD", "KIND:group",
        "X-ADDRESSBOOKSERVER-KIND:group", "X-OWN:1", "EMAIL:a", "TEL:1", "BDAY:1", "ADR:;;a", "KEY:1", " END:VCARD",
        " BEGIN:VCARD", "  END:VCARD", "\tEND:VCARD", " folded", "\tfolded", "", " ", "e", "b", "k", "a", "x", "E",
        " e",
        "\u{1A}END:VCARD", "\u{0}BEGIN:VCARD", "EN", "BE", "END:VCARDBEGIN:VCARD", "BEGIN:VCARDFN:a", "NOTE:END:VCARD",
        "FN:Ada", "VERSION:2.1", "N:a;b", String(repeating: "x", count: 80), " " + String(repeating: "x", count: 80),
    ]

    private func text(_ numbers: inout SplitMix64, ends: [String]) -> String {
        let count = Int.random(in: 2...30, using: &numbers)
        let lines = (0..<count).map { _ in
            (Self.lines.randomElement(using: &numbers) ?? "") + (ends.randomElement(using: &numbers) ?? "")
        }
        return "BEGIN:VCARD\nFN:Ada\n" + lines.joined()
    }

    private func spans(_ bytes: [UInt8]) throws -> [VCardSpan] {
        try bytes.withUnsafeBytes { Array(try VCardText($0).cards) }
    }

    /// In UTF-16 every line is looked at.
    @Test func `Cards are found where a look at each line finds them`() throws {
        var numbers = SplitMix64(21)
        for _ in 0..<3_000 {
            let text = text(&numbers, ends: ["\n", "\n", "\n", "\r\n", "\r\n", "\r", "\r\r\n", "\n\n", ""])
            let quick = try spans(Array(text.utf8))
            let slow = try spans(text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
            let places = slow.map { $0.bytes.lowerBound / 2..<$0.bytes.upperBound / 2 }
            guard quick.map(\.bytes) == places, quick.map(\.line) == slow.map(\.line),
                quick.map(\.isClosed) == slow.map(\.isClosed), quick.map(\.isGroup) == slow.map(\.isGroup),
                quick.map(\.lacksInnerEnd) == slow.map(\.lacksInnerEnd), quick.map(\.lineEnds) == slow.map(\.lineEnds)
            else {
                Issue.record("\(text.debugDescription): \(quick) is not \(slow)")
                return
            }
        }
    }

    /// A text that may have lone carriage returns is read line by line.
    @Test func `Folded lines end where a look at each line ends them`() {
        var numbers = SplitMix64(22)
        for _ in 0..<3_000 {
            let card = Array(text(&numbers, ends: ["\n", "\n", "\n", "\n\n", "\n "]).utf8)
            card.withUnsafeBytes { card in
                var quick = VCardLines(bytes: card, form: VCardForm(ends: .lineFeed, card: card))
                var slow = VCardLines(bytes: card, form: VCardForm(ends: .either, card: card))
                while true {
                    let (found, expected) = (quick.next(), slow.next())
                    #expect(found?.start == expected?.start && found?.end == expected?.end)
                    #expect(found?.firstEnd == expected?.firstEnd)
                    if found == nil || expected == nil { return }
                }
            }
        }
    }
}

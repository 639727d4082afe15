internal import TondoText

/// The soft line breaks of the quoted-printable texts of a card (RFC 2045 6.7). A blank behind one belongs to the text,
/// but some writers fold such lines as well: theirs is the blank of the fold.
final class SoftBreaks {
    private let card: UnsafeRawBufferPointer
    private let form: VCardForm
    /// Counted when the first text needs it.
    private lazy var habits = Habits(card: card, form: form)

    init(card: UnsafeRawBufferPointer, form: VCardForm) {
        self.card = card
        self.form = form
    }

    /// `isOld`: the card is vCard 2.1, which has no folds in such texts. One break alone decides nothing there.
    func areFolds(isOld: Bool) -> Bool {
        guard habits.indented > 0, habits.plain == 0 else { return false }
        return !isOld || habits.cutsCharacter || habits.indented >= 3 && habits.areAllFull
    }

    private struct Habits {
        /// Breaks before a blank, and others.
        var indented = 0
        var plain = 0
        /// A blank is inside of a character, where no text has one.
        var cutsCharacter = false
        /// All lines are as long as they may be: not broken at words.
        var areAllFull = true

        init(card: UnsafeRawBufferPointer, form: VCardForm) {
            var start = 0
            while let end = form.ends.find(in: card, start..<card.count) {
                let next = form.ends.next(after: end, in: card)
                defer { start = next }
                let content = card[start..<form.ends.contentEnd(from: start, to: end, in: card)]
                guard content.last == UInt8(ascii: "="), next < card.count else { continue }
                note(
                    UnsafeRawBufferPointer(rebasing: content), rest: UnsafeRawBufferPointer(rebasing: card[next...]),
                    form: form)
            }
        }

        private mutating func note(_ line: UnsafeRawBufferPointer, rest: UnsafeRawBufferPointer, form: VCardForm) {
            guard form.isFold(0, in: rest) else {
                // The end of base64, or of a text.
                let next = rest.prefix(128).prefix { $0 != 0x0A && $0 != 0x0D }
                if next.count > 0, !next.contains(UInt8(ascii: ":")) { plain += 1 }
                return
            }
            indented += 1
            if !(74...76).contains(line.count) { areAllFull = false }
            let start = form.start(of: 0, in: rest) + 1
            if Self.endsInCharacter(line.dropLast()), let next = Self.escape(rest, at: start), next & 0xC0 == 0x80 {
                cutsCharacter = true
            }
        }

        /// Whether the escapes at the end are the beginning of a character of UTF-8.
        private static func endsInCharacter(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
            let text = UnsafeRawBufferPointer(rebasing: line)
            for length in 1...3 {
                guard let byte = escape(text, at: text.count - 3 * length) else { return false }
                if byte & 0xC0 != 0x80 { return byte >= 0xC0 && (byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2) > length }
            }
            return false
        }

        private static func escape(_ text: UnsafeRawBufferPointer, at position: Int) -> UInt8? {
            guard position >= 0, position + 2 < text.count, text[position] == UInt8(ascii: "=") else { return nil }
            return Hex.byte(text[position + 1], text[position + 2])
        }
    }
}

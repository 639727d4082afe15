/// The characters of two bytes of an East Asian character set, and those of them that names, companies and addresses often have.
/// It measures how well a text fits, on the scale of `CharsetModel`.
struct CharsetPairs: Sendable {
    let charset: Charset
    private let frequent: Set<UInt16>
    /// First bytes of all characters, and of the usual ones.
    private let leads: [ClosedRange<UInt8>]
    private let usual: [ClosedRange<UInt8>]
    /// The lowest second byte, and that of usual characters.
    private let lowest: (all: UInt8, usual: UInt8)
    /// Single bytes are narrow katakana.
    private let hasKatakana: Bool

    /// Nil if the C library does not have the set.
    init?(
        _ name: String, frequent: String, leads: [ClosedRange<UInt8>], usual: [ClosedRange<UInt8>],
        lowest: (all: UInt8, usual: UInt8)
    ) {
        guard let charset = Charset(name: name) else { return nil }
        self.charset = charset
        self.frequent = CharsetDecoder.pairs(of: frequent, in: charset)
        self.leads = leads
        self.usual = usual
        self.lowest = lowest
        hasKatakana = name == "shift_jis"
        if self.frequent.isEmpty { return nil }
    }

    /// Nil if a byte beyond ASCII is no part of a character, or if there is none of two bytes.
    func score(_ text: CharsetSample) -> Int? {
        let bytes = text.bytes
        var (score, next, pairs) = (0, 0, 0)
        for place in text.places where place >= next {
            let lead = bytes[place]
            next = place + 1
            if hasKatakana, 0xA1...0xDF ~= lead {
                score += 1
                continue
            }
            // The last character may be cut off.
            if next == bytes.count { break }
            let trail = bytes[next]
            guard leads.contains(where: { $0.contains(lead) }), trail >= lowest.all, trail != 0x7F, trail != 0xFF else {
                return nil
            }
            next += 1
            pairs += 1
            if ASCII.isLetter(trail), touchesLetter(bytes, before: place, after: next) { return nil }
            let isUsual = trail >= lowest.usual && usual.contains { $0.contains(lead) }
            score += frequent.contains(UInt16(lead) << 8 | UInt16(trail)) ? 6 : isUsual ? 3 : -2
        }
        return pairs > 0 ? score : nil
    }

    /// A pair that ends in a letter of ASCII is inside no word of such letters, as `\u{92}B` of `O’Brien` is.
    private func touchesLetter(_ bytes: UnsafeRawBufferPointer, before: Int, after: Int) -> Bool {
        let isBehind = before > 0 && ASCII.isLetter(bytes[before - 1]) && (before == 1 || bytes[before - 2] < 0x80)
        return isBehind || after < bytes.count && ASCII.isLetter(bytes[after])
    }
}

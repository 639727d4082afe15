extension PhotoCrop {
    /// Reads Apple's `ABClipRect_1&x&y&width&height&hash`; nil for other text, or an empty rectangle.
    init?(abCropRectangle text: String) {
        let parts = text.split(separator: "&", omittingEmptySubsequences: false)
        guard parts.count >= 5, Self.trimmed(parts[0]).lowercased() == "abcliprect_1" else { return nil }
        let numbers = parts[1...4].compactMap { Self.number($0) }
        guard numbers.count == 4, numbers[2] > 0, numbers[3] > 0 else { return nil }
        self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    /// Whole pixels; some writers use fractions.
    private static func number(_ text: Substring) -> Int? {
        let text = trimmed(text)
        if let whole = Int(text) { return whole }
        guard let value = Double(text), abs(value) < 1e9 else { return nil }
        return Int(value.rounded())
    }

    /// A fold may have left blanks.
    private static func trimmed(_ text: Substring) -> String { text.filter { $0 != " " && $0 != "\t" } }
}

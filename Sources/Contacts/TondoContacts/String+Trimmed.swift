extension String {
    /// Without blanks at both ends.
    var trimmed: String {
        let letters: ClosedRange<UInt8> = 0x21...0x7E
        if let first = utf8.first, let last = utf8.last, letters.contains(first), letters.contains(last) { return self }
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }

    /// Nil if it is empty.
    var filled: String? { isEmpty ? nil : self }
}

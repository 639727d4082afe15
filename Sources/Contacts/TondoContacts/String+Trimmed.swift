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

    /// Without the line ends that some writers put into names.
    package var withoutLineEnds: String { lines(joinedBy: " ") }

    /// The lines that are not blank, without blanks at their ends.
    func lines(joinedBy separator: String) -> String {
        guard utf8.contains(0x0A) else { return self }
        return split(whereSeparator: \.isNewline).map { String($0).trimmed }.filter { !$0.isEmpty }.joined(
            separator: separator)
    }
}

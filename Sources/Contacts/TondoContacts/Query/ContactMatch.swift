/// Where a search found a contact: the field that matched best, and what to mark in it.
package struct ContactMatch: Equatable, Sendable {
    /// The name before others that hold as many of the words.
    package var field: ContactField
    /// The text as the book has it: the displayed name if that matches; of a long text an excerpt, with an ellipsis where it is cut.
    package var text: String
    /// Offsets in `text.utf16`, ascending and apart.
    package var ranges: [Range<Int>]
}

extension ContactSearch {
    /// The best match in the contact; nil for an empty query, and where nothing matches.
    package func match(in contact: Contact) -> ContactMatch? {
        let count = terms.reduce(0) { $0 + $1.words.count }
        var best: (marks: SearchMarks, field: ContactField, text: String)?
        for (field, text) in contact.searchedTexts {
            let marks = SearchMarks(of: terms, in: text, field: field)
            guard marks.words > 0, best.map({ marks.isBetter(than: $0.marks) }) ?? true else { continue }
            best = (marks, field, text)
            if field == .name, marks.words == count { break }
        }
        guard let best else { return nil }
        return ContactMatch(field: best.field, text: best.text, marks: best.marks.ranges)
    }
}

extension ContactMatch {
    /// Characters of an excerpt, with its ellipses.
    private static let longest = 120

    fileprivate init(field: ContactField, text: String, marks: [Range<Int>]) {
        if field == .name {
            var name = text
            name.shorten(to: ContactHeadline.longestName)
            self.init(field: field, text: name, ranges: Self.clipped(marks, to: 0..<name.utf16.count, shift: 0))
        } else {
            self.init(excerpt: text, of: field, marks: marks)
        }
    }

    private init(excerpt text: String, of field: ContactField, marks: [Range<Int>]) {
        let characters = Array(text)
        guard characters.count > Self.longest else {
            self.init(field: field, text: text, ranges: marks)
            return
        }
        let starts = characters.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.utf16.count) }
        let first = marks.first ?? 0..<0
        let mark =
            (starts.lastIndex { $0 <= first.lowerBound } ?? 0)..<(starts.firstIndex { $0 >= first.upperBound } ?? 0)
        let part = Self.part(of: characters, around: mark)
        let before = part.lowerBound > 0 ? "…" : ""
        let after = part.upperBound < characters.count ? "…" : ""
        let units = starts[part.lowerBound]..<starts[part.upperBound]
        self.init(
            field: field, text: before + String(characters[part]) + after,
            ranges: Self.clipped(marks, to: units, shift: before.utf16.count - units.lowerBound))
    }

    /// Whole words, if the mark leaves room for them.
    private static func part(of characters: [Character], around mark: Range<Int>) -> Range<Int> {
        let room = longest - 2
        var start = max(min(mark.lowerBound - 40, characters.count - room), 0)
        var end = min(start + room, characters.count)
        if start > 0, let blank = characters[start..<max(mark.lowerBound, start)].firstIndex(where: \.isWhitespace) {
            start = blank + 1
        }
        let rest = min(mark.upperBound, end)..<end
        if end < characters.count, let blank = characters[rest].lastIndex(where: \.isWhitespace) { end = blank }
        return start..<end
    }

    private static func clipped(_ ranges: [Range<Int>], to limits: Range<Int>, shift: Int) -> [Range<Int>] {
        ranges.map { $0.clamped(to: limits) }.filter { !$0.isEmpty }
            .map { $0.lowerBound + shift..<$0.upperBound + shift }
    }
}

internal import Glibc

/// A field that a search looks into, the one that says most first.
package enum ContactField: String, Sendable, CaseIterable {
    case name, nickname, title, company, note, city, email, phone, messenger, group

    /// Holds numbers, which are found by their digits.
    var hasNumbers: Bool { self == .phone || self == .messenger }
}

extension Contact {
    /// The texts that a search looks into, without empty ones, in the order of `ContactField`. Of the names, the one that is
    /// shown comes first.
    var searchedTexts: [(field: ContactField, text: String)] {
        var texts: [(field: ContactField, text: String)] = []
        func add(_ field: ContactField, _ values: [String]) {
            for value in values where !value.isEmpty {
                texts.append((field, value.prefix(bytes: Self.longestSearched)))
            }
        }
        add(.name, name.searched)
        add(.nickname, name.nicknames)
        add(.title, [title ?? "", role ?? ""])
        add(.company, organisation)
        add(.note, [introduction ?? ""])
        add(.city, addresses.flatMap { Self.towns(of: $0.value) })
        add(.email, emails.map(\.value))
        add(.phone, phones.map(\.value))
        add(.messenger, Messenger.allCases.compactMap { messengers[$0] })
        add(.group, groups.map(\.name))
        return texts
    }

    /// Bytes of a text that are searched: of longer ones, the beginning.
    private static let longestSearched = 16_384

    /// The lines of a postal address without its first one, which is the street.
    private static func towns(of address: String) -> [String] {
        let lines = address.split(whereSeparator: \.isNewline).map { String($0) }
        return lines.count > 1 ? Array(lines.dropFirst()) : lines
    }
}

extension ContactName {
    /// The name that is shown, and what it does not contain of the others.
    fileprivate var searched: [String] {
        var texts = [displayName?.withoutLineEnds ?? ""].filter { !$0.isEmpty }
        let parts = [composed, given, family, additional, prefix, suffix, formatted, sortFamily, sortGiven]
        for text in parts where !text.isEmpty {
            if !texts.contains(where: { $0.holds(text) }) { texts.append(text) }
        }
        return texts
    }
}

extension String {
    /// Byte for byte; false where zero bytes would end the texts.
    fileprivate func holds(_ part: String) -> Bool { !part.utf8.contains(0) && strstr(self, part) != nil }

    /// Cut at a scalar.
    fileprivate func prefix(bytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: limit)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}

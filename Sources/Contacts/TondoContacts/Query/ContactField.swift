internal import Glibc

/// A field that a search looks into, the one that says most first.
package enum ContactField: String, Sendable, CaseIterable {
    case name, nickname, title, company, note, city, address, email, phone, messenger, profile, website, related, group

    /// Holds numbers, which are found by their digits.
    var hasNumbers: Bool { self == .phone || self == .messenger }

    /// Holds names, whose words people also write as one.
    var hasNames: Bool { self == .name || self == .nickname || self == .company }
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
        let lines = addresses.map { $0.value.split(whereSeparator: \.isNewline).map(String.init) }
        add(.city, lines.flatMap { $0.count > 1 ? Array($0.dropFirst()) : $0 })
        add(.address, lines.flatMap { $0.count > 1 ? [$0[0]] : [] })
        // A domain may be in letters of any script, or as programs write it.
        let international = emails.map(\.value).filter { $0.utf8.contains { $0 >= 0x80 } || $0.contains("xn--") }
        add(.email, emails.map(\.value) + international.flatMap { MailAddress($0).forms.dropFirst() })
        add(.phone, phones.map(\.value))
        add(.messenger, Messenger.allCases.compactMap { messengers[$0] })
        add(.profile, social.map(\.value))
        add(.website, websites.map(\.value))
        // An identifier says nothing to people.
        add(.related, related.map(\.value).filter { !ASCII.has("urn:", in: $0) })
        add(.group, groups.map(\.name))
        return texts
    }

    /// Bytes of a text that are searched: of longer ones, the beginning.
    private static let longestSearched = 16_384
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

extension Contact {
    /// The name to show: the formatted one, else one from the parts, nicknames, organisation or addresses. Empty if
    /// there is none.
    public var displayName: String {
        if !name.formatted.isEmpty { return name.formatted }
        let composed = name.composed
        if !composed.isEmpty { return composed }
        return name.nicknames.first ?? organisation.first ?? emails.first?.value ?? phones.first?.value
            ?? Messenger.allCases.lazy.compactMap { messengers[$0] }.first { !$0.isEmpty } ?? ""
    }

    /// The contact has no data to show.
    package var isEmpty: Bool { photo == nil && displayName.isEmpty && messengers.isEmpty }
}

extension ContactName {
    /// The parts in their reading order; Han, kana and hangul names put the family name first, without a blank.
    var composed: String {
        if Self.isEastAsian(given), Self.isEastAsian(family) { return family + given }
        let words = [prefix, given, additional, family].filter { !$0.isEmpty }.joined(separator: " ")
        if suffix.isEmpty { return words }
        return words.isEmpty ? suffix : words + ", " + suffix
    }

    private static func isEastAsian(_ text: String) -> Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy { scalar in
                (0x3005...0x30FF).contains(scalar.value) || (0x3400...0x9FFF).contains(scalar.value)
                    || (0xAC00...0xD7AF).contains(scalar.value) || (0x20000...0x323AF).contains(scalar.value)
            }
    }
}

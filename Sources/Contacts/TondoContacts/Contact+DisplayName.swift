extension Contact {
    /// The name to show: the formatted one, else one from the parts, nicknames, organisation, ways to reach the contact, or
    /// postal addresses. Empty if there is none.
    public var displayName: String {
        ownName ?? (social + websites + addresses).lazy.map(\.value.withoutLineEnds).first(where: \.isVisible) ?? ""
    }

    /// Without profiles, websites and postal addresses, which a derived id does not contain.
    var ownName: String? {
        name.displayName ?? organisation.first(where: \.isVisible) ?? emails.lazy.map(\.value).first(where: \.isVisible)
            ?? phones.lazy.map(\.value).first(where: \.isVisible)
            ?? Messenger.allCases.lazy.compactMap { messengers[$0] }.first(where: \.isVisible)
    }

    /// The name by which lists are sorted: that of a company without another name is the company's.
    package var listedName: ContactName { name.listed { organisation } }

    /// The contact has no data to show.
    package var isEmpty: Bool {
        photo == nil && displayName.isEmpty && messengers.isEmpty && birthday == nil
    }
}

extension ContactName {
    /// The name to show; nil if there is none.
    var displayName: String? {
        if formatted.isVisible { return formatted }
        let composed = composed
        return composed.isVisible ? composed : nicknames.first(where: \.isVisible)
    }

    /// See `Contact.listedName`. `organisation`: is called if there is no other name.
    func listed(of organisation: () -> [String]) -> ContactName {
        if displayName != nil { return self }
        var listed = self
        listed.formatted = organisation().first(where: \.isVisible) ?? ""
        return listed
    }

    /// Given and family name are written in Han, kana or hangul, which put the family name first.
    var isEastAsian: Bool { Self.isEastAsian(given) && Self.isEastAsian(family) }

    /// The parts in their reading order; Han, kana and hangul names put the family name first, without a blank.
    var composed: String {
        if isEastAsian { return family + given }
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

extension String {
    /// Whether there is more than blanks, controls, and characters of no width.
    fileprivate var isVisible: Bool {
        if let byte = utf8.first, 0x21...0x7E ~= byte { return true }
        return unicodeScalars.contains { scalar in
            let properties = scalar.properties
            return !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint && scalar.value > 0x20
                && !(0x7F...0x9F ~= scalar.value) && scalar.value != 0x2800
        }
    }
}

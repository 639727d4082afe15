extension Contact {
    /// The name to show: the formatted one, else one from the parts, nicknames, organisation, ways to reach the contact, or
    /// postal addresses. Empty if there is none.
    public var displayName: String {
        ownName ?? (social + websites + addresses).lazy.map(\.value.withoutLineEnds).first(where: \.isVisible) ?? ""
    }

    /// Without profiles, websites and postal addresses, which a derived id does not contain.
    var ownName: String? {
        if let own = name.displayName ?? organisation.first(where: \.isVisible) { return own }
        let ways = (emails + phones).lazy.map(\.value).first(where: \.isVisible)
        let handles = Messenger.allCases.lazy.compactMap { messengers[$0] }
        return ways ?? handles.first(where: \.isVisible) ?? (name.composed.isVisible ? name.composed : nil)
    }

    /// What lists show of the organisation: the company, or the department if only that is known. Nil without any.
    package var firstUnit: String? { organisation.first { !$0.isEmpty } }

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
        let spoken = spoken
        return spoken.isVisible ? spoken : nicknames.first(where: \.isVisible)
    }

    /// `composed`; empty without a given, family or middle name: a title alone is no name.
    var spoken: String { [given, family, additional].contains(where: \.isVisible) ? composed : "" }

    /// See `Contact.listedName`. `organisation`: is called if there is no other name.
    func listed(of organisation: () -> [String]) -> ContactName {
        if displayName != nil { return self }
        var listed = self
        listed.formatted = organisation().first(where: \.isVisible) ?? ""
        return listed
    }

    /// Given and family name are written in Han, kana or hangul, which put the family name first.
    var isEastAsian: Bool {
        [given, family].allSatisfy { name in !name.isEmpty && name.allSatisfy { $0.isHanOrKana || $0.isHangul } }
    }

    /// The parts in their reading order; Han, kana and hangul names put the family name first, without a blank.
    var composed: String {
        if isEastAsian { return family + given }
        let words = [prefix, given, additional, family].filter { !$0.isEmpty }.joined(separator: " ")
        if suffix.isEmpty { return words }
        return words.isEmpty ? suffix : words + ", " + suffix
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

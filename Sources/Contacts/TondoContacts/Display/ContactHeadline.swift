internal import TondoText

/// What a list shows of a contact before anything else.
package struct ContactHeadline: Equatable, Sendable {
    /// Never empty: the id of a contact without any name. Cut at `longestName` bytes.
    package var displayName: String
    /// One or two letters for a contact without a photo, by Tondo's own rule; empty if there are none. See
    /// `Contact.initials`.
    package var initials: String
    /// The index letter, see `SectionTitles`.
    package var section: String

    /// For lists in the order of the book.
    package init(_ contact: Contact) {
        var headlines = ContactHeadlines()
        self = headlines.headline(of: contact)
    }

    /// Bytes of UTF-8, so that one contact cannot make a list of thousands large.
    package static let longestName = 1_024

    init(initials: String, displayName: String, id: String, section: String) {
        self.displayName = displayName.isEmpty ? id : displayName
        self.displayName.shorten(to: Self.longestName)
        self.initials = initials
        self.section = section
    }

    /// Appends its members of a JSON object, each with a comma before it.
    package func addMembers(to json: inout [UInt8]) {
        json += ",\"displayName\":".utf8
        JSONEscapes.append(displayName, to: &json)
        json += ",\"initials\":".utf8
        JSONEscapes.append(initials, to: &json)
        json += ",\"section\":".utf8
        JSONEscapes.append(section, to: &json)
    }
}

/// Makes the headlines of a list. Keeps the titles of sections that it has met.
package struct ContactHeadlines: Sendable {
    private let sort: ContactSort.Name?
    private var titles: SectionTitles

    /// `sort`: the name by which the list is sorted; nil: the display name. `locale`: as in `ContactSort`.
    package init(sort: ContactSort.Name? = nil, locale: String = "") {
        self.sort = sort
        titles = SectionTitles(locale: locale)
    }

    /// For a contact that is unpacked anyhow, see the method for packed ones.
    package mutating func headline(of contact: Contact) -> ContactHeadline {
        headline(contact.listedName, displayName: contact.displayName, initials: contact.initials, id: contact.id)
    }

    /// The headline of a packed contact, which is unpacked only if it has no name, or none with a letter.
    package mutating func headline(of packed: PackedContact) -> ContactHeadline {
        let name = packed.name
        guard let displayName = name.displayName,
            let initials = name.initials(isOrganisation: packed.kind == .organisation)
        else { return headline(of: packed.contact) }
        return headline(name, displayName: displayName, initials: initials, id: packed.id)
    }

    /// The section alone.
    package mutating func section(of packed: PackedContact) -> String {
        let name = packed.listedName
        return titles.title(of: first(of: name) ?? name.displayName ?? packed.contact.displayName)
    }

    private mutating func headline(
        _ name: ContactName, displayName: String, initials: String?, id: String
    ) -> ContactHeadline {
        ContactHeadline(
            initials: initials ?? "", displayName: displayName, id: id,
            section: titles.title(of: first(of: name) ?? displayName))
    }

    /// What the order goes by; nil: the display name. `name`: the listed one. Empty without any name: such contacts come last,
    /// where the letter of the address that is shown for them would stand a second time.
    private func first(of name: ContactName) -> String? { sort.map { name.first(by: $0) } }
}

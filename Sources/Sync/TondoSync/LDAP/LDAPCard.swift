internal import TondoContacts
internal import TondoText

/// A person of a directory as a vCard: inetOrgPerson (RFC 2798), the attributes of RFC 4519, and Active Directory's. Pure.
///
/// Times of changes are left out: a card changes exactly when something does that it shows.
package struct LDAPCard {
    private let entry: LDAPEntry
    private var card = CardWriter()

    /// The attributes that a card is made of. Never with `;binary`: servers then send no photo.
    package static let attributes: [String] = [
        DirectoryAddress.mailAttributes, own, DirectoryAddress.birthdayAttributes, DirectoryAttributes.nicknames,
        DirectoryAttributes.phones.map(\.attribute), DirectoryAttributes.sites.map(\.attribute),
        DirectoryAttributes.related.map(\.attribute), DirectoryAttributes.relatedEntries.map(\.attribute),
        DirectoryAttributes.notes, DirectoryAttributes.aim,
        DirectoryAttributes.home.flatMap(\.self),
    ].flatMap(\.self)

    private static let own = [
        "cn", "name", "displayName", "givenName", "sn", "initials", "middleName", "personalTitle", "o", "ou", "company",
        "generationQualifier", "department", "departmentNumber", "title", "businessRole", "employeeType",
        "businessCategory", "schacPersonalTitle", "proxyAddresses", "anniversary", "msDS-PhoneticFirstName",
        "msDS-PhoneticLastName", "postalAddress", "homePostalAddress", "postOfficeBox", "street", "streetAddress",
        "mozillaWorkStreet2", "l", "st", "postalCode", "co", "c", "memberOf", "jpegPhoto", "thumbnailPhoto", "photo",
    ]

    /// Attributes beside those of a card: of identity, and of the kind of the entry.
    package static let identity = ["objectClass", "entryUUID", "objectGUID", "nsUniqueId", "ipaUniqueID", "GUID"]

    /// The values of one attribute that are used.
    private static let mostValues = 100

    /// Nil for an entry that is not a person, or has no name.
    package static func bytes(of entry: LDAPEntry, id: EntryID) -> [UInt8]? {
        let isGroup = ["group", "groupofnames", "groupofuniquenames", "posixgroup"].contains { entry.isOf($0) }
        guard !isGroup, let name = displayName(entry) else { return nil }
        var card = LDAPCard(entry: entry)
        card.write(id, name: name)
        return card.card.bytes
    }

    private init(entry: LDAPEntry) { self.entry = entry }

    private mutating func write(_ id: EntryID, name: String) {
        card.add("UID", text: "urn:uuid:\(id)")
        card.add("FN", text: name)
        card.add(
            "N",
            components: [
                DirectoryName.family(entry.text("sn"), given: entry.text("givenname"), of: [name]),
                DirectoryName.part(entry.text("givenname")), entry.text("middlename"),
                entry.text("personaltitle", "schacpersonaltitle"), entry.text("generationqualifier"),
            ])
        card.add("NICKNAME", list: DirectoryAttributes.nicknames.flatMap(texts))
        card.add("X-PHONETIC-FIRST-NAME", text: entry.text("msds-phoneticfirstname"))
        card.add("X-PHONETIC-LAST-NAME", text: entry.text("msds-phoneticlastname"))
        card.add("ORG", components: organisation)
        card.add("TITLE", text: entry.text("title", "businessrole"))
        card.add("ROLE", text: entry.text("employeetype", "businesscategory"))
        addMails()
        addAddresses()
        addPoints()
        let birthdays = DirectoryAddress.birthdayAttributes.compactMap { entry.text($0) }
        // In Mozilla's schema, one of these has the day of the month alone.
        card.add("BDAY", text: birthdays.first { $0.utf8.count > 2 })
        card.add("ANNIVERSARY", text: entry.text("anniversary"))
        card.add("NOTE", text: DirectoryAttributes.notes.compactMap { entry.text($0) }.first)
        card.add("CATEGORIES", list: Self.distinct(texts("memberof").compactMap(DirectoryName.group)))
        if let (picture, kind) = photo {
            card.addPhoto(picture, kind: kind)
        } else {
            card.add("PHOTO", uri: photoValues.lazy.compactMap { PhotoText.url($0) }.first)
        }
        card.end()
    }

    private func texts(_ attribute: String) -> [String] { Array(entry.texts(attribute).prefix(Self.mostValues)) }

    private static func displayName(_ entry: LDAPEntry) -> String? {
        if let name = entry.text("displayname") { return name }
        let names = entry.texts("name") + entry.texts("cn")
        let given = DirectoryName.part(entry.text("givenname"))
        let parts = [given, DirectoryName.family(entry.text("sn"), given: given, of: names)].compactMap { $0 }
        let whole = parts.isEmpty ? nil : parts.joined(separator: " ")
        return DirectoryName.common(of: names, hasParts: parts.count == 2) ?? whole ?? entry.text("mail")
            ?? DirectoryName.leaf(of: entry.name)
    }

    private mutating func addPoints() {
        for phone in DirectoryAttributes.phones { add("TEL", phone) { $0 } }
        for site in DirectoryAttributes.sites { add("URL", site) { $0.split(separator: " ").first.map(String.init) } }
        for person in DirectoryAttributes.related + DirectoryAttributes.relatedEntries {
            add("RELATED;VALUE=text", person, value: DirectoryName.person)
        }
        for name in DirectoryAttributes.aim.flatMap(texts) { card.add("X-AIM", text: name) }
    }

    private mutating func add(
        _ property: String, _ kind: (attribute: String, types: [String]), value: (String) -> String?
    ) {
        let types = kind.types.isEmpty ? "" : ";TYPE=" + kind.types.joined(separator: ",")
        for text in texts(kind.attribute) { card.add(property, parameters: types, text: value(text)) }
    }

    /// The company, then its departments.
    private var organisation: [String?] {
        let company = entry.text("company", "o")
        let departments = Self.distinct(texts("department") + texts("ou"))
        return company == nil && departments.isEmpty ? [] : [company] + departments
    }

    /// Adds the addresses of Active Directory: `SMTP:` marks the primary one and `smtp:` further ones; others are no
    /// mail.
    private mutating func addMails() {
        let proxies = texts("proxyaddresses").filter { $0.lowercased().hasPrefix("smtp:") }
        let primary = proxies.filter { $0.hasPrefix("SMTP:") }.map { String($0.dropFirst(5)) }
        let mails = primary + DirectoryAddress.mailAttributes.flatMap(texts) + proxies.map { String($0.dropFirst(5)) }
        for mail in Self.distinct(mails) {
            card.add("EMAIL", parameters: mail == primary.first ? ";PREF=1" : "", text: mail)
        }
    }

    private mutating func addAddresses() {
        func add(_ names: [[String]], lines: String, type: String) {
            let address = PostalAddress(names) { entry.text($0) }
            guard let text = entry.text(lines).map(DirectoryAddress.text) else {
                return card.add("ADR", type: type, components: address.components)
            }
            // Parts that say less than the lines are none.
            let parts = PostalAddress(ContactPoint(address.printed(text)))
            let label = parts == nil || parts?.composed == text ? nil : text
            card.add("ADR", type: type, label: label, components: parts?.components ?? ["", "", text])
        }
        add(DirectoryAttributes.work, lines: "postaladdress", type: "work")
        add(DirectoryAttributes.home, lines: "homepostaladdress", type: "home")
    }

    /// The most bytes of a photo.
    private static let largestPhoto = 5_000_000

    /// The largest that can be drawn, by its bytes and not by its attribute's name.
    private var photo: ([UInt8], PictureKind)? {
        let pictures = photoValues.compactMap { bytes -> ([UInt8], PictureKind)? in
            // Some programs store the text of a picture, which is larger by a third, or more if it is encoded twice.
            guard bytes.count <= 2 * Self.largestPhoto, let picture = PhotoText.picture(bytes),
                picture.count <= Self.largestPhoto
            else { return nil }
            return PictureKind(picture).map { (picture, $0) }
        }
        return pictures.max { $0.0.count < $1.0.count }
    }

    private var photoValues: [[UInt8]] {
        ["jpegphoto", "thumbnailphoto", "photo"].flatMap { entry.bytes($0) }
    }

    /// Without repetitions in another letter case; the first one stays.
    private static func distinct(_ texts: [String]) -> [String] {
        var known: Set<String> = []
        return texts.filter { known.insert($0.lowercased()).inserted }
    }
}

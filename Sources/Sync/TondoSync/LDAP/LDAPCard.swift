internal import TondoContacts
internal import TondoText

/// A person of a directory as a vCard: inetOrgPerson (RFC 2798), the attributes of RFC 4519, and Active Directory's. Pure.
///
/// Times of changes are left out: a card changes exactly when something does that it shows.
package struct LDAPCard {
    private let entry: LDAPEntry
    private var card = CardWriter()

    /// The attributes that a card is made of. Never with `;binary`: servers then send no photo.
    package static let attributes =
        DirectoryAddress.mailAttributes + [
            "cn", "name", "displayName", "givenName", "sn", "initials", "middleName", "personalTitle", "o", "ou",
            "company", "generationQualifier", "department", "departmentNumber", "title", "employeeType",
            "businessCategory", "info", "description", "proxyAddresses", "telephoneNumber", "otherTelephone",
            "mobile", "otherMobile", "homePhone", "otherHomePhone", "facsimileTelephoneNumber", "pager",
            "postalAddress", "homePostalAddress", "postOfficeBox", "street", "streetAddress", "l", "st", "postalCode",
            "co", "c", "labeledURI", "wWWHomePage", "memberOf", "jpegPhoto", "thumbnailPhoto", "photo",
        ] + DirectoryAddress.birthdayAttributes

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
                entry.text("sn"), entry.text("givenname"), entry.text("middlename"), entry.text("personaltitle"),
                entry.text("generationqualifier"),
            ])
        card.add("ORG", components: organisation)
        card.add("TITLE", text: entry.text("title"))
        card.add("ROLE", text: entry.text("employeetype", "businesscategory"))
        addPhones()
        addMails()
        addAddresses()
        addSites()
        let birthdays = DirectoryAddress.birthdayAttributes.compactMap { entry.text($0) }
        // In Mozilla's schema, one of these has the day of the month alone.
        card.add("BDAY", text: birthdays.first { $0.utf8.count > 2 })
        card.add("NOTE", text: entry.text("description", "info"))
        card.add("CATEGORIES", list: Self.distinct(texts("memberof").compactMap(DirectoryName.leaf)))
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
        let parts = [entry.text("givenname"), entry.text("sn")].compactMap { $0 }
        let whole = parts.isEmpty ? nil : parts.joined(separator: " ")
        return DirectoryName.common(of: names, hasParts: parts.count == 2) ?? whole ?? entry.text("mail")
            ?? DirectoryName.leaf(of: entry.name)
    }

    /// A label may follow the address (RFC 2079).
    private mutating func addSites() {
        for site in texts("labeleduri") + texts("wwwhomepage") {
            card.add("URL", text: site.split(separator: " ").first.map(String.init))
        }
    }

    /// The company, then its departments.
    private var organisation: [String?] {
        let company = entry.text("company", "o")
        let departments = Self.distinct(texts("department") + texts("ou"))
        return company == nil && departments.isEmpty ? [] : [company] + departments
    }

    private mutating func addPhones() {
        let kinds: [(attribute: String, type: String)] = [
            ("mobile", "cell"), ("othermobile", "cell"), ("telephonenumber", "work"), ("othertelephone", "work"),
            ("homephone", "home"), ("otherhomephone", "home"), ("facsimiletelephonenumber", "fax"), ("pager", "pager"),
        ]
        for kind in kinds {
            for number in texts(kind.attribute) { card.add("TEL", parameters: ";TYPE=\(kind.type)", text: number) }
        }
    }

    /// Adds the addresses of Active Directory: `SMTP:` marks the primary one and `smtp:` further ones; others are no
    /// mail.
    private mutating func addMails() {
        func mails(_ prefix: String) -> [String] {
            texts("proxyaddresses").compactMap { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : nil }
        }
        let primary = mails("SMTP:")
        for mail in Self.distinct(primary + DirectoryAddress.mailAttributes.flatMap(texts) + mails("smtp:")) {
            card.add("EMAIL", parameters: mail == primary.first ? ";PREF=1" : "", text: mail)
        }
    }

    private mutating func addAddresses() {
        func add(_ lines: String, type: String) {
            card.add("ADR", parameters: ";TYPE=\(type)", components: [nil, nil, DirectoryAddress.text(of: lines)])
        }
        let parts = [
            entry.text("postofficebox"), nil, entry.text("street", "streetaddress"), entry.text("l"), entry.text("st"),
            entry.text("postalcode"), entry.text("co", "c"),
        ]
        if let lines = entry.text("postaladdress") {
            add(lines, type: "work")
        } else {
            card.add("ADR", parameters: ";TYPE=work", components: parts)
        }
        if let lines = entry.text("homepostaladdress") { add(lines, type: "home") }
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

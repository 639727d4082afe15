internal import TondoText

/// The values of one record by their attributes' names.
struct LDIFEntry {
    /// Empty if the record has no name.
    private(set) var name = ""
    let text: SourceText
    private let decoder: CharsetDecoder
    /// By lower-case name without options; values without options come first.
    private(set) var values: [String: [LDIFRecords.Line]] = [:]

    init(record: LDIFRecords.Record, of text: SourceText, by decoder: CharsetDecoder) {
        self.text = text
        self.decoder = decoder
        var optional: [(String, LDIFRecords.Line)] = []
        for line in record.lines {
            let words = text.string(line.name, by: decoder).lowercased().split(separator: ";")
            guard let attribute = words.first.map({ String($0).trimmed }) else { continue }
            // `sn;lang-ja;phonetic`.
            if words.dropFirst().contains("phonetic") {
                values["phonetic" + attribute, default: []].append(line)
                continue
            }
            // ;binary describes the transfer of the value, not its kind (RFC 4522).
            if words.dropFirst().contains(where: { $0 != "binary" }) {
                optional.append((attribute, line))
            } else {
                values[attribute, default: []].append(line)
            }
        }
        for (attribute, line) in optional { values[attribute, default: []].append(line) }
        name = first("dn") ?? ""
    }

    /// The name to show; nil if the entry has none.
    var displayName: String? {
        if let name = first("displayname") { return name }
        let names = all("cn") + all("commonname")
        // The common name of Thunderbird is the name to show.
        if let name = names.first, isOf("mozillaabpersonalpha") { return name }
        let given = DirectoryName.part(first("givenname", "gn"))
        let family = DirectoryName.family(first("sn", "surname"), given: given, of: names)
        return DirectoryName.common(of: names, hasParts: given != nil && family != nil)
    }

    /// The kind of a change record, which is to be applied to a directory (RFC 2849, change records).
    var change: String? { first("changetype")?.lowercased() }

    func first(_ attributes: String...) -> String? {
        for attribute in attributes {
            if let value = all(attribute).first { return value }
        }
        return nil
    }

    /// Without empty values and values at a URL.
    func all(_ attribute: String) -> [String] { (values[attribute] ?? []).compactMap { string($0) } }

    /// Nil for an empty value and one at a URL.
    func string(_ line: LDIFRecords.Line) -> String? {
        guard line.kind != .url else { return nil }
        let value = TextRepair.repaired(plain(line).trimmed)
        return value.isEmpty ? nil : value
    }

    /// A text in base64 has a character set of its own.
    private func plain(_ line: LDIFRecords.Line) -> String {
        let content = content(line)
        guard line.kind == .base64 else { return text.string(content, by: decoder) }
        return DirectoryAttributes.text(content)
    }

    func isOf(_ objectClass: String) -> Bool {
        all("objectclass").contains { $0.lowercased() == objectClass }
    }

    /// The largest picture of these attributes: some have a small one beside it, or a value that was cut off. Without a picture, the first
    /// value that leads to one, or else the first one in base64, which is reported when it is drawn.
    func photo(_ attributes: String..., places: inout ContactLocator) -> ContactPhoto? {
        let lines = attributes.flatMap { values[$0] ?? [] }.filter { !$0.value.isEmpty }
        // A picture stays in the file. No picture begins with only the characters that a plain value may have, but its text does.
        let pictures = lines.filter { $0.kind != .url && PhotoText.isPicture(head($0)) }
        if let largest = pictures.max(by: { $0.value.count < $1.value.count }) {
            return .inline(places.photo(largest.value), crop: nil)
        }
        for line in lines {
            let content = content(line)
            let photo =
                line.kind == .url
                ? ContactPhoto(address: text.string(content, by: decoder).trimmed) : PhotoText.photo(content)
            if let photo { return photo }
        }
        return lines.first { $0.kind == .base64 }.map { .inline(places.photo($0.value), crop: nil) }
    }

    /// The first bytes of what the value is the base64 text of.
    private func head(_ line: LDIFRecords.Line) -> [UInt8] {
        text.bytes[line.value.prefix(256)].withUnsafeBytes { Base64.head($0, count: 16) }
    }

    private func content(_ line: LDIFRecords.Line) -> [UInt8] {
        let unfolded = Self.unfolded(text.bytes[line.value][...])
        return line.kind == .base64 ? unfolded.withUnsafeBytes { Base64.decode($0) } : unfolded
    }

    private static func unfolded(_ value: ArraySlice<UInt8>) -> [UInt8] {
        guard value.contains(0x0A) else { return Array(value) }
        var output: [UInt8] = []
        var isAfterLineEnd = false
        for byte in value {
            if byte == 0x0A {
                if output.last == 0x0D { output.removeLast() }
                isAfterLineEnd = true
            } else {
                // The one blank, or tab, of the fold.
                if !(isAfterLineEnd && " \t".utf8.contains(byte)) { output.append(byte) }
                isAfterLineEnd = false
            }
        }
        return output
    }
}

extension Contact {
    /// A contact from an entry with the attributes of RFC 4519 and RFC 2798, and Thunderbird's.
    init(entry: LDIFEntry, places: inout ContactLocator) {
        self.init(id: entry.first("entryuuid", "uid") ?? "")
        name.formatted = entry.displayName ?? ""
        let given = DirectoryName.part(entry.first("givenname", "gn"))
        name.given = given ?? ""
        name.family = DirectoryName.family(entry.first("sn", "surname"), given: given, of: [name.formatted]) ?? ""
        name.additional = entry.first("middlename") ?? ""
        name.prefix = entry.first("personaltitle", "schacpersonaltitle") ?? ""
        name.suffix = entry.first("generationqualifier") ?? ""
        name.sortGiven = entry.first("phoneticgivenname", "msds-phoneticfirstname") ?? ""
        name.sortFamily = entry.first("phoneticsn", "msds-phoneticlastname") ?? ""
        name.nicknames = DirectoryAttributes.nicknames.flatMap(entry.all)
        let departments = ["ou", "organizationalunitname", "department"].flatMap(entry.all)
        organisation = Self.units(
            company: entry.first("o", "organizationname", "company"), departments: departments)
        title = entry.first("title", "businessrole")
        role = entry.first("employeetype", "businesscategory")
        introduction = DirectoryAttributes.notes.lazy.compactMap { entry.first($0) }.first
        phones = Self.phones(of: entry)
        emails = Self.emails(of: entry)
        addresses = Self.addresses(of: entry)
        websites = DirectoryAttributes.sites.flatMap { attribute, types in
            entry.all(attribute).compactMap { $0.split(separator: " ").first.map { String($0).withoutBrackets } }
                .map { ContactPoint($0, types: types) }
        }
        social = DirectoryAttributes.aim.flatMap(entry.all).map { ContactPoint($0, types: ["aim"]) }
        related = (DirectoryAttributes.related + DirectoryAttributes.relatedEntries).flatMap { attribute, types in
            entry.all(attribute).map { ContactPoint($0, types: types) }
        }
        birthday = Self.birthday(of: entry)
        anniversary = entry.first("anniversary").flatMap(CalendarDate.text)
        revision = entry.first("modifytimestamp")
        photo = entry.photo("jpegphoto", "thumbnailphoto", "photo", places: &places)
        // The common name may be in the distinguished name alone, which makes no contact by itself.
        if ASCII.has("cn=", in: entry.name), name.displayName == nil, !isEmpty {
            name.formatted = DirectoryName.leaf(of: entry.name) ?? ""
        }
    }

    /// Each once: aliases repeat the main address (Active Directory, OpenLDAP).
    private static func emails(of entry: LDIFEntry) -> [ContactPoint] {
        let proxies = entry.all("proxyaddresses").filter { ASCII.has("smtp:", in: $0) }.map { String($0.dropFirst(5)) }
        var known: Set<String> = []
        return (DirectoryAddress.mailAttributes.flatMap(entry.all) + proxies).flatMap(MailAddress.several)
            .filter { known.insert($0.lowercased()).inserted }.map { ContactPoint($0) }
    }

    private static func phones(of entry: LDIFEntry) -> [ContactPoint] {
        DirectoryAttributes.phones.flatMap { kind in
            entry.all(kind.attribute).flatMap(PhoneText.several).map { ContactPoint($0, types: kind.types) }
        }
    }

    /// One address may be in parts (RFC 4519), and each of several in lines (RFC 4517 3.3.28).
    private static func addresses(of entry: LDIFEntry) -> [ContactPoint] {
        func lines(of attribute: String) -> [PostalAddress] {
            entry.all(attribute).map { [.formatted: DirectoryAddress.text(of: $0)] }
        }
        let work = PostalAddress(DirectoryAttributes.work) { entry.first($0) }
        var printed = lines(of: "postaladdress")
        let isPrinted = !printed.isEmpty
        // The parts are those of the first one.
        if isPrinted { printed[0] = work.printed(printed[0].text) }
        var points = printed.map { ContactPoint($0, types: ["work"]) }
        points += lines(of: "homepostaladdress").map { ContactPoint($0, types: ["home"]) }
        if !isPrinted { points.append(ContactPoint(work, types: ["work"])) }
        points.append(ContactPoint(PostalAddress(DirectoryAttributes.home) { entry.first($0) }, types: ["home"]))
        return points.filter { !$0.value.isEmpty }
    }

    /// In one attribute, Thunderbird's in three.
    private static func birthday(of entry: LDIFEntry) -> String? {
        let dates = DirectoryAddress.birthdayAttributes.flatMap(entry.all)
        // The day of the month has two digits.
        if let date = dates.lazy.filter({ $0.utf8.count > 2 }).compactMap(CalendarDate.text).first { return date }
        let year = entry.first("birthyear").flatMap { Int($0) }.flatMap { $0 > 0 ? "\($0)" : nil }
        guard let month = entry.first("birthmonth").flatMap({ Int($0) }),
            let day = entry.first("birthday").flatMap({ Int($0) })
        else { return year }
        let digits = [month, day].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: "-")
        return CalendarDate.text("\(year ?? "-")-\(digits)")
    }
}

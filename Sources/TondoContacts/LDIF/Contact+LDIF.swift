extension Contact {
    /// A contact from an entry with the attributes of RFC 4519 and RFC 2798, and Thunderbird's.
    init(_ entry: LDIFEntry, places: inout ContactLocator) {
        self.init(id: entry.first("entryuuid", "uid") ?? "")
        name.given = entry.first("givenname", "gn") ?? ""
        name.family = entry.first("sn", "surname") ?? ""
        name.prefix = entry.first("personaltitle") ?? ""
        name.suffix = entry.first("generationqualifier") ?? ""
        name.formatted = entry.first("displayname", "cn", "commonname") ?? ""
        name.nicknames = entry.all("mozillanickname") + entry.all("xmozillanickname") + entry.all("nickname")
        organisation = Array(entry.all("o").prefix(1)) + entry.all("ou")
        title = entry.first("title")
        role = entry.first("employeetype", "businesscategory")
        introduction = entry.first("description")
        phones = Self.phones(of: entry)
        emails = (entry.all("mail") + entry.all("rfc822mailbox")).map { ContactPoint($0) }
        emails += entry.all("mozillasecondemail").map { ContactPoint($0) }
        revision = entry.first("modifytimestamp")
        photo = entry.photo("jpegphoto", "thumbnailphoto", "photo", places: &places)
    }

    private static func phones(of entry: LDIFEntry) -> [ContactPoint] {
        let kinds: [(attribute: String, types: [String])] = [
            ("mobile", ["cell"]), ("mobiletelephonenumber", ["cell"]), ("cellphone", ["cell"]),
            ("telephonenumber", ["work"]), ("homephone", ["home"]), ("hometelephonenumber", ["home"]),
            ("facsimiletelephonenumber", ["fax"]), ("pager", ["pager"]),
        ]
        return kinds.flatMap { kind in entry.all(kind.attribute).map { ContactPoint($0, types: kind.types) } }
    }
}

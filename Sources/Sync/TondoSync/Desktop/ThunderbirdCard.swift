/// The properties of a contact in Thunderbird's database: a vCard since version 102, else names and values of their own. Pure.
struct ThunderbirdCard {
    let id: String
    /// As it is stored; nil: there is none.
    private(set) var card: [UInt8]?
    /// The vCard is, and was not kept.
    private(set) var isTooLarge = false
    /// The other ones that are used.
    private var properties: [String: String] = [:]

    /// Bytes of a property.
    private static let longest = 64 << 10

    private static let phones = [
        ("CellularNumber", "cell"), ("WorkPhone", "work"), ("HomePhone", "home"), ("FaxNumber", "fax"),
        ("PagerNumber", "pager"),
    ]
    private static let names = ["LastName", "FirstName", "AdditionalNames", "NamePrefix", "NameSuffix"]
    private static let places = ["POBox", "Address2", "Address", "City", "State", "ZipCode", "Country"]
    private static let used: Set<String> = Set(
        names + phones.map(\.0) + places.flatMap { ["Home" + $0, "Work" + $0] } + [
            "DisplayName", "NickName", "PrimaryEmail", "SecondEmail", "Company", "Department", "JobTitle", "WebPage1",
            "WebPage2", "BirthYear", "BirthMonth", "BirthDay", "Notes", "PhotoName",
        ])

    init(id: String) { self.id = id }

    mutating func take(_ value: UnsafeRawBufferPointer, of name: String) {
        if name == "_vCard" {
            isTooLarge = value.count > ThunderbirdBook.largestCard
            card = isTooLarge || value.isEmpty ? nil : Array(value)
        } else if Self.used.contains(name), 1...Self.longest ~= value.count {
            properties[name] = String(decoding: value, as: UTF8.self)
        }
    }

    /// In the folder `Photos` of the profile.
    var photoName: String? { properties["PhotoName"] }

    /// A vCard of the other properties; nil: there is neither a name nor an address.
    var written: [UInt8]? {
        let first = [properties["FirstName"], properties["LastName"]].compactMap(\.self)
        let whole = first.isEmpty ? nil : first.joined(separator: " ")
        let other = ["NickName", "PrimaryEmail", "Company", "SecondEmail"] + Self.phones.map(\.0)
        let rest = other.lazy.compactMap { properties[$0] }.first
        guard let name = properties["DisplayName"] ?? whole ?? rest else { return nil }
        var card = CardWriter()
        card.add("UID", text: id)
        card.add("FN", text: name)
        card.add("N", components: Self.names.map { properties[$0] })
        card.add("NICKNAME", text: properties["NickName"])
        card.add("EMAIL", parameters: ";PREF=1", text: properties["PrimaryEmail"])
        card.add("EMAIL", text: properties["SecondEmail"])
        for (property, type) in Self.phones { card.add("TEL", parameters: ";TYPE=\(type)", text: properties[property]) }
        for type in ["Home", "Work"] {
            let places = Self.places.map { properties[type + $0] }
            card.add("ADR", parameters: ";TYPE=\(type.lowercased())", components: places)
        }
        card.add("ORG", components: ["Company", "Department"].map { properties[$0] })
        card.add("TITLE", text: properties["JobTitle"])
        for page in ["WebPage1", "WebPage2"] { card.add("URL", uri: properties[page]) }
        card.add("BDAY", text: birthday)
        card.add("NOTE", text: properties["Notes"])
        card.end()
        return card.bytes
    }

    /// RFC 6350 section 4.3.1; nil without a month and a day.
    private var birthday: String? {
        func number(_ name: String, in range: ClosedRange<Int>, digits: Int) -> String? {
            guard let number = properties[name].flatMap({ Int($0) }), range ~= number else { return nil }
            let text = String(number)
            return String(repeating: "0", count: digits - text.count) + text
        }
        guard let month = number("BirthMonth", in: 1...12, digits: 2),
            let day = number("BirthDay", in: 1...31, digits: 2)
        else { return nil }
        return (number("BirthYear", in: 1...9_999, digits: 4) ?? "--") + month + day
    }

    /// Where the line `END:VCARD` begins; nil: it has none.
    static func end(of card: [UInt8]) -> Int? {
        let word = Array("END:VCARD".utf8)
        var start = card.count - word.count
        while start > 0 {
            let isFirst = card[start - 1] == 0x0A || card[start - 1] == 0x0D
            if isFirst, zip(card[start...], word).allSatisfy({ $0 & 0xDF == $1 & 0xDF }) { return start }
            start -= 1
        }
        return nil
    }
}

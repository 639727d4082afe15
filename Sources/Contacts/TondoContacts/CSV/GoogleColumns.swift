/// The meanings of a table's columns, by their names, in any order: those of Google Contacts before and after its
/// change in 2024, and those of other programs, see `ColumnName`.
struct GoogleColumns {
    enum Column: Hashable {
        case formatted, given, additional, family, prefix, suffix, nickname
        /// What stands between given and family name, as Dutch tables have it.
        case particle
        case organisation, department, title, notes, photo, groups, occupation
        /// Groups between semicolons or commas.
        case categories
        case email(Int)
        case emailType(Int)
        case phone(Int)
        case phoneType(Int)
        case messenger(Int)
        case messengerService(Int)
        case website(Int)
        case websiteType(Int)
        case address(Int, PostalAddress.Part)
        case addressType(Int)
        /// By which a person signs in, often an address of mail.
        case account
        case birthday, anniversary, spouse, manager, assistant
        /// Readings of the names, by which they are sorted.
        case sortGiven, sortFamily
        case event(Int)
        case eventType(Int)
        case relation(Int)
        case relationType(Int)
        /// Numbers, as Thunderbird has them.
        case birthYear, birthMonth, birthDay
    }

    /// In the file's order; nil for columns without a meaning here.
    private(set) var columns: [Column?]
    /// Types from the names of phone and address columns, by the column that would contain the type.
    private(set) var labels: [Column: String] = [:]

    /// The column of the whole name has a name that also means a family name, and no other column has that.
    private(set) var wholeNameMayBeFamily = false

    /// The order of day and month in the rows' dates, if it is known: of all languages, English alone puts the month first.
    var isDayFirst: Bool?

    /// Longer names are those of no program. They are not looked up.
    static let longestName = 256

    /// Nil if the header belongs to something else. `names`: of the columns, as in the file.
    init?(_ names: [String]) {
        let names = names.map(Self.plain)
        columns = names.map { Self.column($0) }
        let english = english(names)
        addOthers(names, english: english)
        let known = Set(columns.compactMap { $0 }).subtracting([.account])
        let isDistinctive = known.contains { column in
            switch column {
            case .email, .phone, .given, .family, .groups, .formatted: true
            default: false
            }
        }
        // Towns and countries are in all kinds of tables; "Address 1 - City" and "Home City" are not.
        let evidence = known.count { if case .address(let number, _) = $0 { number < Self.own } else { true } }
        let hasHome = english.contains { if case .address(let kind, _) = $0 { !kind.isEmpty } else { false } }
        guard isDistinctive, evidence + (hasHome ? 1 : 0) >= 2 else { return nil }
        if known.contains(.given), !known.contains(.family), let whole = columns.firstIndex(of: .formatted) {
            wholeNameMayBeFamily = Self.namesOfNames.contains(names[whole])
        }
    }

    /// Whether a program gives a column this name.
    static func isName(_ name: String) -> Bool {
        let name = plain(name)
        return column(name) != nil || ColumnName(name) != nil || ColumnTables.all.entry(ColumnKey(name)) != nil
    }

    /// In lower case, without blanks and the byte order marks of joined files.
    private static func plain(_ name: String) -> String {
        var name = name.lowercased().trimmed
        // "First Name [Required]"
        if name.hasSuffix("]"), let bracket = name.firstIndex(of: "[") { name = String(name[..<bracket]).trimmed }
        return name.utf8.first == 0xEF ? String(name.drop { $0 == "\u{FEFF}" }) : name
    }

    /// "Name" beside "Vorname".
    private static let namesOfNames: Set<String> = ["name", "naam", "namn", "navn", "nimi", "nom", "nume"]

    /// Columns with a meaning.
    var known: Int { columns.count { $0 != nil } }

    private static func column(_ name: String) -> Column? { plain[name] ?? numbered(name) }

    /// The column names of other programs, in any language. Phones and addresses have their types in the name.
    private mutating func addOthers(_ names: [String], english: [ColumnName?]) {
        let known = names.indices.count { columns[$0] != nil || english[$0] != nil }
        if known >= names.count { return add(english) }
        let tables = ColumnTables.all
        let keys = names.map { $0.isEmpty ? nil : ColumnKey($0) }
        let entries = keys.map { $0.flatMap(tables.entry) }
        let (table, mostTranslated) = tables.best(for: entries)
        // English names are few in tables of other languages, and the other way round.
        let isTranslated = mostTranslated >= 2 && mostTranslated > known
        let isTurkish = isTranslated && tables.languages[table] == "tr"
        let places = Self.places(of: keys)
        var found: [ColumnName?] = []
        var others: [ColumnName?] = []
        for (index, entry) in entries.enumerated() {
            let (place, times) = places[index]
            let translated = isTranslated ? entry?.meaning(inTable: table, place, of: times) : nil
            if translated != nil { columns[index] = nil }
            // One name that some language has says nothing about the language of the others.
            let words = keys[index].flatMap { ColumnWords.column($0, isTurkish: isTurkish) }
            let other = entry?.plain ?? words
            others.append(translated == nil ? nil : other)
            found.append(translated ?? english[index] ?? other ?? entry?.common(place, of: times))
        }
        Self.settleTitles(&found, others: others)
        add(found)
        let days = found.indices.filter { [.birthday, .anniversary, .birthDay].contains(columns[$0]) }
        if days.contains(where: { english[$0] == nil && Self.column(names[$0]) == nil }) { isDayFirst = true }
    }

    /// Outlook's form of address is a job, or an address, in tables of others, which have no other column for that.
    private static func settleTitles(_ found: inout [ColumnName?], others: [ColumnName?]) {
        let hasStreet = found.contains { if case .address(_, .street) = $0 { true } else { false } }
        for (index, other) in others.enumerated() where found[index] == .plain(.prefix) {
            let isJob = other == .plain(.title) && !found.contains(.plain(.title))
            let isStreet = if case .address(_, .street) = other { !hasStreet } else { false }
            if isJob || isStreet { found[index] = other }
        }
    }

    /// How often each key came up before, and how often it comes up at all.
    private static func places(of keys: [ColumnKey?]) -> [(place: Int, times: Int)] {
        var times: [ColumnKey: Int] = [:]
        let places = keys.map { key in
            guard let key else { return 0 }
            let place = times[key, default: 0]
            times[key] = place + 1
            return place
        }
        return zip(keys, places).map { ($1, $0.flatMap { times[$0] } ?? 1) }
    }

    private func english(_ names: [String]) -> [ColumnName?] {
        let hasJobTitle = ["job title", "position", "job position", "function", "job"].contains(where: names.contains)
        // Yahoo's phones have no other name.
        let bases = names.map { String($0.reversed().drop { $0.isNumber || $0 == " " }.reversed()) }
        let hasPlaces = bases.contains("home") && ["mobile", "cell", "work"].contains(where: bases.contains)
        // Phones and SIM cards call it so.
        let hasPhone = names.contains { ColumnName($0).map { if case .phone = $0 { true } else { false } } == true }
        return names.enumerated().map { index, name in
            if columns[index] != nil { return nil }
            // A room, beside `Office Phone`.
            if name.hasSuffix(" number"), names.contains(name.dropLast(6) + "phone") { return nil }
            // Outlook's title is a form of address.
            if name == "title", hasJobTitle { return ColumnName("name prefix") }
            if name == "number" || name == "numbers", !hasPhone { return ColumnName("phone") }
            return ColumnName(hasPlaces && Self.places.contains(bases[index]) ? bases[index] + " phone" : name)
        }
    }

    private static let places: Set = ["home", "work", "other", "office", "business"]

    private mutating func add(_ found: [ColumnName?]) {
        func set(_ column: Column, type: Column, label: String, at index: Int) {
            columns[index] = column
            labels[type] = label
        }
        for (index, name) in found.enumerated() where columns[index] == nil {
            let place = Self.own + index
            switch name {
            case .plain(let column): columns[index] = column
            case .email(let label): set(.email(place), type: .emailType(place), label: label, at: index)
            case .phone(let label): set(.phone(place), type: .phoneType(place), label: label, at: index)
            case .website(let label): set(.website(place), type: .websiteType(place), label: label, at: index)
            case .account(let network):
                set(.messenger(place), type: .messengerService(place), label: network, at: index)
            case .address(let label, let part):
                // All columns with the same label belong to one address.
                let number = Self.addresses.firstIndex(of: label).map { Self.own + $0 } ?? Self.unlabelled
                columns[index] = .address(number, part)
                labels[.addressType(number)] = ["primary", "billing"].contains(label) ? "" : label
            case .ignored, nil: break
            }
        }
        joinAddresses()
    }

    /// One address may have names of two kinds: a street, which any table has, beside a town that only the home of one program
    /// has.
    private mutating func joinAddresses() {
        let home = Self.own
        func parts(_ wanted: Int) -> Set<PostalAddress.Part> {
            Set(columns.compactMap { if case .address(wanted, let part) = $0 { part } else { nil } })
        }
        let (own, others) = (parts(home), parts(Self.unlabelled))
        guard !own.isEmpty, !others.isEmpty, own.isDisjoint(with: others) else { return }
        for (index, column) in columns.enumerated() {
            if case .address(home, let part) = column { columns[index] = .address(Self.unlabelled, part) }
        }
    }

    private static let addresses = ["home", "work", "other", "primary", "billing"]
    /// The number of an address whose columns have no type.
    private static let unlabelled = own + addresses.count

    /// The first number for columns without one in their names: beyond Google's.
    private static let own = 1_000_000

    private static let plain: [String: Column] = [
        "name": .formatted, "file as": .formatted, "given name": .given, "first name": .given,
        "additional name": .additional, "middle name": .additional, "family name": .family, "last name": .family,
        "name prefix": .prefix, "name suffix": .suffix, "nickname": .nickname, "organization name": .organisation,
        "organization department": .department, "organization title": .title, "notes": .notes, "photo": .photo,
        "given name yomi": .sortGiven, "phonetic first name": .sortGiven, "family name yomi": .sortFamily,
        "phonetic last name": .sortFamily, "birthday": .birthday, "labels": .groups, "group membership": .groups,
        "occupation": .occupation,
    ]

    private static let addressParts: [String: PostalAddress.Part] = [
        "formatted": .formatted, "street": .street, "extended address": .extended, "po box": .box, "city": .city,
        "region": .region, "postal code": .code, "country": .country,
    ]

    private static let kinds: [Substring: (value: @Sendable (Int) -> Column, type: @Sendable (Int) -> Column)] = [
        "e-mail": ({ .email($0) }, { .emailType($0) }), "phone": ({ .phone($0) }, { .phoneType($0) }),
        "im": ({ .messenger($0) }, { .messengerService($0) }), "website": ({ .website($0) }, { .websiteType($0) }),
        "event": ({ .event($0) }, { .eventType($0) }), "relation": ({ .relation($0) }, { .relationType($0) }),
    ]

    /// `E-mail 1 - Value` and similar names.
    private static func numbered(_ name: String) -> Column? {
        guard name.utf8.contains(UInt8(ascii: "-")) else { return nil }
        let words = name.split(separator: " ")
        guard words.count >= 4, let number = Int(words[1]), words[2] == "-" else { return nil }
        let rest = words[3...].joined(separator: " ")
        if let (value, type) = kinds[words[0]] {
            let isType = rest == "label" || rest == (words[0] == "im" ? "service" : "type")
            return rest == "value" ? value(number) : isType ? type(number) : nil
        }
        switch (words[0], rest) {
        case ("address", "type"), ("address", "label"): return .addressType(number)
        case ("address", let part): return addressParts[part].map { .address(number, $0) }
        // The first of several.
        case ("organization", "name") where number == 1: return .organisation
        case ("organization", "title") where number == 1: return .title
        case ("organization", "department") where number == 1: return .department
        default: return nil
        }
    }
}

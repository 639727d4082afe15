/// The texts of one row by the meanings of their columns.
struct GoogleRow {
    /// The separator of several values in one field.
    private static let between = " ::: "

    private var texts: [GoogleColumns.Column: String] = [:]
    private let labels: [GoogleColumns.Column: String]
    private var emails: [Int] = []
    private var phones: [Int] = []
    private var others: [GoogleColumns.Column] = []
    private var events: [Int] = []
    private var relations: [Int] = []
    private var websites: [Int] = []
    /// By their numbers, in the order of the columns. Each part may have several values, one for each of several addresses,
    /// and each value the lines of several columns.
    private var addresses: [(number: Int, parts: [PostalAddress.Part: [[String]]])] = []
    /// Where an address is among these, by its number: a header may name any number of addresses.
    private var places: [Int: Int] = [:]

    private let wholeNameMayBeFamily: Bool
    private let isDayFirst: Bool?

    init(columns: GoogleColumns, row: CSVRows.Row, of rows: CSVRows) {
        labels = columns.labels
        wholeNameMayBeFamily = columns.wholeNameMayBeFamily
        isDayFirst = columns.isDayFirst
        for (column, field) in zip(columns.columns, row.fields) {
            guard let column, !field.range.isEmpty else { continue }
            let text = Self.plain(TextRepair.repaired(rows.string(field).trimmed.withoutBrackets), of: column)
            if text.isEmpty { continue }
            if case .address(let number, let part) = column {
                add(text, as: part, ofAddress: number)
                continue
            }
            add(text, of: column)
        }
    }

    private mutating func add(_ text: String, of column: GoogleColumns.Column) {
        if let first = texts[column] {
            // Several columns are lines of one note, or titles of one person.
            if let separator = Self.joints[column], first != text { texts[column] = first + separator + text }
            return
        }
        texts[column] = text
        switch column {
        case .email(let number): emails.append(number)
        case .phone(let number): phones.append(number)
        case .messenger: others.append(column)
        case .website(let number):
            others.append(column)
            websites.append(number)
        case .event(let number): events.append(number)
        case .relation(let number): relations.append(number)
        default: break
        }
    }

    private static let joints: [GoogleColumns.Column: String] = [.notes: "\n", .prefix: " "]

    /// Without what keeps spreadsheets from taking a text for a number or a formula: `="0431"`, `=+49`, `'+49`, `'@ada`.
    private static func plain(_ text: String, of column: GoogleColumns.Column) -> String {
        if text.utf8.count <= 9, nothing.contains(text) || text.isNothing { return "" }
        if column != .notes, let quoted = text.withoutCurlyQuotes { return quoted }
        if text.hasPrefix("=\""), text.hasSuffix("\""), text.utf8.count > 2 {
            return String(text.dropFirst(2).dropLast())
        }
        // `=HYPERLINK("mailto:ada@example.org";"Ada")`
        if text.hasPrefix("=HYPERLINK(\"") {
            let texts = text.split(separator: "\"").dropFirst().map(String.init)
            if case .email = column { return texts.first ?? "" }
            return texts.dropFirst(2).first ?? texts.first ?? ""
        }
        if case .address(_, .code) = column, text.contains(".") { return number(from: text, digits: 3) }
        guard let first = text.first, "'=".contains(first), let second = text.dropFirst().first else { return text }
        let rest = text.dropFirst()
        // `'90s Club` is a name.
        if rest.allSatisfy({ "+0123456789 ()-./".contains($0) }) { return String(rest) }
        let isMail = if case .email = column { !rest.hasSuffix("'") } else { false }
        return first == "'" && (isMail || "=+-@".contains(second)) ? String(rest) : text
    }

    /// What programs and spreadsheets write where there is no value.
    private static let nothing: Set = [
        "-", "#N/A", "N/A", "n/a", "#REF!", "#VALUE!", "#NAME?", "#DIV/0!", "#NULL!", "#NUM!", "NULL", "<null>", "\\N",
        "NaN", "nan", "None",
    ]

    /// A number of a telephone that a spreadsheet took for one of arithmetic: `491701234567.0`, `4.91701234567E+11`. One
    /// that lost its last digits stays as it is. `digits`: the fewest before a fraction of zeros.
    private static func number(from text: String, digits: Int = 6) -> String {
        let parts = text.replacing(",", with: ".").split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return text }
        if ["0", "00"].contains(parts[1]), parts[0].utf8.count >= digits { return String(parts[0]) }
        let power = parts[1].uppercased().split(separator: "E", omittingEmptySubsequences: false)
        guard power.count == 2, Int(power[1]) == power[0].utf8.count, power[0].utf8.count >= 5, Int(power[0]) != nil
        else { return text }
        return String(parts[0] + power[0])
    }

    /// A part that has several columns, as the lines of a street, has them all.
    private mutating func add(_ text: String, as part: PostalAddress.Part, ofAddress number: Int) {
        let place = places[number] ?? addresses.endIndex
        if place == addresses.endIndex { addresses.append((number, [:])) }
        places[number] = place
        for (index, value) in text.divided(by: Self.between).enumerated() {
            // In place: a header may name one part any number of times.
            addresses[place].parts[part, default: []].append(value, toList: index)
        }
    }

    /// The first values of all parts are one address, the second ones are another.
    private func points(of parts: [PostalAddress.Part: [[String]]]) -> [ContactPoint] {
        let count = parts.values.reduce(0) { max($0, $1.count) }
        let points = (0..<count).map { index in
            var address: PostalAddress = [:]
            for (part, values) in parts where values.indices.contains(index) {
                let isNumbered =
                    part == .street && values[index].contains { $0.utf8.count < 6 && $0.first?.isNumber == true }
                address[part] = values[index].joined(separator: isNumbered ? " " : "\n")
            }
            return ContactPoint(address)
        }
        return points.filter { !$0.value.isEmpty }
    }

    var contact: Contact {
        var contact = Contact(id: "")
        contact.name.given = (texts[.given] ?? "").asName
        contact.name.family = [texts[.particle], texts[.family]].compactMap { $0?.asName }.joined(separator: " ")
        contact.name.additional = texts[.additional] ?? ""
        contact.name.prefix = texts[.prefix] ?? ""
        contact.name.suffix = texts[.suffix] ?? ""
        contact.name.formatted = (texts[.formatted] ?? "").asName
        let (given, whole) = (contact.name.given, contact.name.formatted)
        if wholeNameMayBeFamily, !given.isEmpty, !whole.contains(given) {
            contact.name.family = whole
            contact.name.formatted = ""
        }
        contact.name.sortGiven = texts[.sortGiven] ?? ""
        contact.name.sortFamily = texts[.sortFamily] ?? ""
        contact.name.nicknames = values(.nickname)
        // Of several organisations, each with its title, the first.
        let departments = Array(values(.department).prefix(1))
        contact.organisation = Contact.units(company: values(.organisation).first, departments: departments)
        contact.title = values(.title).first
        contact.role = values(.occupation).first
        contact.introduction = texts[.notes]
        contact.phones = preferredFirst(
            points: phones.map { number in
                let points = points(in: .phone(number)) { PhoneText.several(in: Self.number(from: $0)) }
                return (points, .phoneType(number))
            })
        contact.emails = preferredFirst(
            points: emails.map { (points(in: .email($0), split: MailAddress.several), .emailType($0)) })
        // The name of an account may be the only address of mail that a row has.
        let account = texts[.account].map(MailAddress.plain) ?? ""
        let isKnown = contact.emails.contains { $0.value.lowercased() == account.lowercased() }
        if account.contains("@"), !isKnown { contact.emails.append(ContactPoint(account)) }
        contact.addresses = preferredFirst(points: addresses.map { (points(of: $0.parts), .addressType($0.number)) })
        contact.websites = preferredFirst(
            points: websites.map { number in
                let pages = values(.website(number)).filter { MessengerAddress($0).messenger == nil }
                return (pages.map { ContactPoint($0) }, .websiteType(number))
            })
        contact.birthday = birthday
        contact.anniversary = anniversary
        contact.related = related
        (contact.messengers, contact.social) = accounts
        contact.groups = groups
        contact.photo = values(.photo).first.map { ContactPhoto(address: $0) }
        return contact
    }

    private var birthday: String? {
        if let date = values(.birthday).first.flatMap(self.date) { return date }
        let (year, month) = (number(in: .birthYear), number(in: .birthMonth))
        // In some languages, Thunderbird calls the day of the month as others call the birthday.
        if month == nil, let text = texts[.birthDay], text.contains(where: { !$0.isNumber }) { return date(text) }
        guard let month, let day = number(in: .birthDay) else { return year.map { "\($0)" } }
        let digits = [month, day].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: "-")
        return CalendarDate.text("\(year.map { "\($0)" } ?? "-")-\(digits)")
    }

    /// Spreadsheets and data bases have days for what is not known.
    private func date(_ text: String) -> String? {
        let numbers = Set(text.split { !$0.isNumber }.compactMap { Int($0) })
        if numbers.contains(1), [1753, 1900].contains(where: { numbers.subtracting([0, 1]) == [$0] }) { return nil }
        return CalendarDate.day(ofSpreadsheet: text) ?? CalendarDate.text(text, isDayFirst: isDayFirst)
    }

    private var anniversary: String? {
        let days = events.filter { GoogleLabel(texts[.eventType($0)] ?? "").text.lowercased() == "anniversary" }
        let dates = values(.anniversary) + days.flatMap { values(.event($0)) }
        return dates.lazy.compactMap(date).first
    }

    private var related: [ContactPoint] {
        let named: [(column: GoogleColumns.Column, type: String)] = [
            (.spouse, "spouse"), (.manager, "manager"), (.assistant, "assistant"),
        ]
        return named.flatMap { column, type in values(column).map { ContactPoint($0, types: [type]) } }
            + relations.flatMap { number in
                let label = GoogleLabel(texts[.relationType(number)] ?? "").text
                let isSpouse = label.lowercased() == "spouse"
                return values(.relation(number)).map {
                    ContactPoint($0, types: isSpouse ? ["spouse"] : [], label: isSpouse ? nil : label.filled)
                }
            }
    }

    /// Nil for 0, which means that there is none.
    private func number(in column: GoogleColumns.Column) -> Int? {
        texts[column].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// The numbers or addresses of a field, which a data base may have written as JSON.
    private func points(in column: GoogleColumns.Column, split: (String) -> [String]) -> [ContactPoint] {
        values(column).flatMap { value in
            (JSONCell.values(in: value) ?? [(value, "")]).flatMap { text, label in
                split(text).map { value in
                    let label = GoogleLabel(label)
                    return ContactPoint(value, types: label.types, label: label.own?.filled)
                }
            }
        }
    }

    private func values(_ column: GoogleColumns.Column) -> [String] {
        (texts[column] ?? "").separated(by: Self.between)
    }

    /// Values with a `*` before their type come first.
    private func preferredFirst(points columns: [([ContactPoint], type: GoogleColumns.Column)]) -> [ContactPoint] {
        let points = columns.flatMap { values, type in
            let label = GoogleLabel(texts[type] ?? labels[type] ?? "")
            return values.map { value in
                var point = value
                // What the value itself says counts.
                if point.types.isEmpty, point.label == nil {
                    point.types = label.types
                    point.label = label.own
                }
                return (point: point, isPreferred: label.isPreferred)
            }
        }
        return points.filter(\.isPreferred).map(\.point) + points.filter { !$0.isPreferred }.map(\.point)
    }

    /// Handles of messengers, and profiles of other networks.
    private var accounts: ([Messenger: String], [ContactPoint]) {
        var handles: [Messenger: String] = [:]
        var profiles: [ContactPoint] = []
        for column in others {
            var service: String?
            if case .messenger(let number) = column {
                let type = GoogleColumns.Column.messengerService(number)
                service = GoogleLabel(texts[type] ?? labels[type] ?? "").text.lowercased()
            }
            for value in values(column) {
                let address = MessengerAddress(value)
                guard let messenger = service.flatMap(Messenger.init(word:)) ?? address.messenger else {
                    if let service { profiles.append(ContactPoint(value, types: [service].filter { !$0.isEmpty })) }
                    continue
                }
                if handles[messenger] == nil { handles[messenger] = address.handle }
            }
        }
        return (handles, profiles)
    }

    /// A system group, such as `* myContacts`, differs from a user's group with the same name.
    private var groups: [ContactGroup] {
        var groups = UniqueGroups()
        groups.add(values(.groups).map { ContactGroup(GoogleLabel($0).text, id: $0) })
        let categories = values(.categories).flatMap(\.tags)
        groups.add(categories.compactMap { String($0).trimmed.asName.filled }.map { ContactGroup($0) })
        return groups.groups
    }
}

extension [[String]] {
    /// Adds a text to the list with this index, which is the first one behind all others if it is new. Empty texts are no
    /// lines.
    fileprivate mutating func append(_ text: String, toList index: Int) {
        if index == count { append([]) }
        if !text.isEmpty { self[index].append(text) }
    }
}

extension String {
    /// The texts between semicolons or commas, which those in quotes may have inside.
    fileprivate var tags: [Substring] {
        let hasPairs = count { $0 == "\"" } % 2 == 0
        var isQuoted = false
        return split { character in
            if character == "\"", hasPairs { isQuoted.toggle() }
            return !isQuoted && (character == ";" || character == ",")
        }
    }

    /// The parts between separators, also empty ones, without blanks around them. A separator at an end may have lost its
    /// blank.
    fileprivate func divided(by separator: String) -> [String] {
        " \(self) ".split(separator: separator, omittingEmptySubsequences: false).map { String($0).trimmed }
    }

    /// The parts between separators, without blanks around them and empty ones.
    func separated(by separator: String) -> [String] {
        guard let first = separator.utf8.first, utf8.contains(first) else {
            let whole = trimmed
            return whole.isEmpty ? [] : [whole]
        }
        return split(separator: separator).map { String($0).trimmed }.filter { !$0.isEmpty }
    }
}

/// The type of a phone number or address as Google Contacts writes it: `* Home`, `Mobile`, `Work Fax` or a custom word.
struct GoogleLabel {
    let text: String
    /// Marked with `*`.
    let isPreferred: Bool
    /// In lower case, as vCards have them (RFC 6350 6.4.1).
    let types: [String]
    /// A custom word; nil if the types express it.
    let own: String?

    init(_ label: String) {
        isPreferred = label.hasPrefix("*")
        text = String(label.drop { $0 == "*" }).trimmed
        let known = text.isEmpty ? [] : Self.known[text.lowercased()]
        types = known ?? []
        own = known == nil ? text : nil
    }

    private static let known: [String: [String]] = [
        "home": ["home"], "work": ["work"], "mobile": ["cell"], "cell": ["cell"], "main": ["main"], "other": [],
        "obsolete": [], "home fax": ["home", "fax"], "work fax": ["work", "fax"], "fax": ["fax"], "pager": ["pager"],
        "internet": [], "homepage": ["home"], "home page": ["home"], "business": ["work"],
        "work mobile": ["work", "cell"], "home mobile": ["home", "cell"],
    ]
}

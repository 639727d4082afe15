internal import TondoText

/// The properties one by one.
extension VCardDraft {
    func value(_ line: VCardLines.Line, header: VCardHeader) -> String {
        text.read(line, header: header) { VCardValue.text($0) }
    }

    func nonEmpty(_ line: VCardLines.Line, header: VCardHeader) -> String? {
        let value = value(line, header: header)
        return value.isEmpty || value.isNothing ? nil : value
    }

    /// In the notation of `CalendarDate`.
    func date(_ line: VCardLines.Line, header: VCardHeader) -> String? {
        guard let date = nonEmpty(line, header: header).flatMap(CalendarDate.text) else { return nil }
        guard let year = header.parameters.omittedYear, date.hasPrefix(year + "-") else { return date }
        return "-" + date.dropFirst(year.count)
    }

    /// Texts between separators, without empty ones.
    func parts(_ line: VCardLines.Line, header: VCardHeader, separator: UInt8) -> [String] {
        text.read(line, header: header) { VCardValue.parts($0, separator: separator) }
    }

    /// As a list; some writers put semicolons between them, or quotes around all of them.
    func categories(_ line: VCardLines.Line, header: VCardHeader) -> [String] {
        text.read(line, header: header) { value in
            let quote = UInt8(ascii: "\"")
            let isQuoted = value.first == quote && value.last == quote && value.count { $0 == quote } == 2
            let value = isQuoted ? UnsafeRawBufferPointer(rebasing: value.dropFirst().dropLast()) : value
            var names: [String] = []
            VCardValue.forEachPart(value, separator: UInt8(ascii: ";")) {
                names += VCardValue.parts($0, separator: UInt8(ascii: ","))
            }
            // Some writers escape the commas between them; those inside of names have a blank behind.
            let isList = names.count == 1 && names[0].contains(",") && !names[0].contains(", ")
            return isList ? names[0].separated(by: ",") : names.map(\.asName).filter { !$0.isEmpty }
        }
    }

    /// Passes on the components of a structured value with their numbers, without empty ones. Each is a list between
    /// commas, which its separator joins, the last one those of all further components; in vCard 2.1 commas are ordinary
    /// characters.
    private func forEachComponent(
        of line: VCardLines.Line, header: VCardHeader, separators: [String], _ body: (Int, String) -> Void
    ) {
        let isOld = text.keepsFoldBlanks
        text.read(line, header: header) { value in
            var index = 0
            VCardValue.forEachPart(value, separator: UInt8(ascii: ";")) { part in
                defer { index += 1 }
                if part.count == 0 { return }
                let separator = separators[min(index, separators.count - 1)]
                let isList = !isOld && part.contains(UInt8(ascii: ","))
                body(
                    index,
                    isList
                        ? VCardValue.parts(part, separator: UInt8(ascii: ",")).joined(separator: separator)
                        : VCardValue.text(part))
            }
        }
    }

    /// Family; given; additional; prefixes; suffixes (RFC 6350 6.2.2). The first line with any text counts.
    mutating func setName(_ line: VCardLines.Line, header: VCardHeader) {
        var name = contact.name
        guard name.family.isEmpty, name.given.isEmpty else { return }
        forEachComponent(of: line, header: header, separators: [" ", " ", " ", " ", ", "]) { index, text in
            let text = text.withoutLineEnds.asName
            switch index {
            case 0: name.family = text
            case 1: name.given = text
            case 2: name.additional = text
            case 3: name.prefix = text
            case 4: name.suffix = text
            default: break
            }
        }
        if name.given.isEmpty, name.family.contains(";") { Self.split(&name) }
        if let sort = header.parameters.sortAs {
            let parts = sort.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { $0 != "\"" } }
            name.sortFamily = parts[0].trimmed
            if parts.count > 1 { name.sortGiven = parts[1].trimmed }
        }
        contact.name = name
    }

    /// What depends on several lines. Not in `finished`, which moves the draft: the compiler takes minutes for its branches.
    mutating func settle() {
        settleFormatted()
        settleDerived()
        settleSorting()
        contact.groups = groups.groups
        if contact.addresses.isEmpty { contact.addresses = postalLabels }
        if !isList { return }
        contact.kind = .group
        let members = contact.emails.map { "mailto:" + MailAddress.plain($0.value) }
        contact.members += members.filter { !contact.members.contains($0) }
    }

    /// A company has no other name to be sorted by.
    private mutating func settleSorting() {
        let isCompany = contact.name.family.isEmpty && contact.name.given.isEmpty
        let family = sortString.isEmpty && isCompany ? sortOrganisation : sortString
        if contact.name.sortFamily.isEmpty { contact.name.sortFamily = family }
        if isCompany, contact.name.sortGiven.isEmpty { contact.name.sortGiven = contact.name.sortFamily }
    }

    /// Readings of names in properties of their own. SORT-AS of the name decides before them.
    mutating func addForSorting(_ field: VCardField, line: VCardLines.Line, header: VCardHeader) {
        let text = field == .sound ? "" : value(line, header: header)
        switch field {
        // Phones of Japan: `SOUND;X-IRMC-N:ﾔﾏﾀﾞ;ﾀﾛｳ;;;`.
        case .sound: if header.parameters.types.contains("x-irmc-n") { addReading(line, header: header) }
        case .phoneticGiven: Self.fill(&contact.name.sortGiven, with: text)
        case .phoneticFamily: Self.fill(&contact.name.sortFamily, with: text)
        case .phoneticOrganisation: Self.fill(&sortOrganisation, with: text)
        default: Self.fill(&sortString, with: text)
        }
    }

    /// The components of a name as they sound. Phonetic letters (IPA) are no order.
    mutating func addReading(_ line: VCardLines.Line, header: VCardHeader) {
        if header.parameters.phonetic == "ipa" { return }
        var name = contact.name
        forEachComponent(of: line, header: header, separators: [" "]) { index, text in
            if index == 0 { Self.fill(&name.sortFamily, with: text) }
            if index == 1 { Self.fill(&name.sortGiven, with: text) }
        }
        contact.name = name
    }

    static func fill(_ text: inout String, with other: String) {
        if text.isEmpty { text = other.withoutLineEnds.trimmed }
    }

    /// Some writers put the parts of the name, with semicolons between, where the formatted one should be.
    private mutating func settleFormatted() {
        let name = contact.name
        guard name.formatted.utf8.contains(UInt8(ascii: ";")) else { return }
        let own = [name.family, name.given, name.additional, name.prefix, name.suffix].filter { !$0.isEmpty }
        if own.isEmpty, name.formatted.contains(";;") {
            contact.name.family = name.formatted
            Self.split(&contact.name)
        } else {
            let parts = name.formatted.separated(by: ";")
            guard parts.count > 1, own.starts(with: parts) else { return }
        }
        contact.name.formatted = ""
    }

    /// What a card is shown by otherwise says more than a name that was made for it, or than its identifier.
    private mutating func settleDerived() {
        let formatted = contact.name.formatted
        let isIdentifier =
            formatted.utf8.count >= 36 && Self.withoutURN(formatted) == contact.id && !formatted.contains(" ")
        // A point or a hyphen, because something is required.
        let isSign = formatted.utf8.allSatisfy { $0 < 0x80 && !ASCII.isLetter($0) && !(0x30...0x39 ~= $0) }
        // A program had no name at first, and filled the address or the number in.
        let points = contact.emails + contact.phones
        let isPoint = !["", formatted].contains(contact.name.composed) && points.contains { $0.value == formatted }
        guard isFormattedDerived && contact.name.composed.isEmpty || isIdentifier || isSign || isPoint else { return }
        contact.name.formatted = ""
        if contact.ownName == nil { contact.name.formatted = formatted }
    }

    /// Some writers escape the semicolons between the parts. Between two words of a text, there is a blank behind one.
    private static func split(_ name: inout ContactName) {
        let parts = name.family.split(separator: ";", omittingEmptySubsequences: false).map { String($0).trimmed }
        guard parts.count >= 3 || !name.family.contains("; ") else { return }
        let paths: [WritableKeyPath<ContactName, String>] = [\.family, \.given, \.additional, \.prefix, \.suffix]
        for (path, part) in zip(paths, parts) { name[keyPath: path] = part }
    }

    /// The preferred non-empty one; among equally preferred ones the first (RFC 6350 6.2.1, 5.3).
    mutating func setFormatted(_ line: VCardLines.Line, header: VCardHeader) {
        let preference = header.parameters.preference
        guard contact.name.formatted.isEmpty || preference < formattedPreference,
            let text = nonEmpty(line, header: header)
        else { return }
        // With its line ends, which a program meant; lists show it on one line.
        contact.name.formatted = text.lines(joinedBy: "\n").asName
        formattedPreference = preference
        isFormattedDerived = header.parameters.isDerived == true || Self.derived.contains(text)
    }

    /// Names of servers and programs that do not say so: of older versions of Cyrus, the server of Fastmail, and of Nextcloud.
    private static let derived: Set = [
        "No Name", "New contact", "Neuer Kontakt", "Nouveau contact", "Nuevo contacto", "Nuovo contatto",
    ]

    mutating func addPhone(_ line: VCardLines.Line, header: VCardHeader) {
        for number in PhoneText.several(in: value(line, header: header)) where !number.isNothing {
            let point = point(number, header: header)
            guard isNew(point, in: contact.phones, header: header) else { return }
            mark(header, as: .phone)
            contact.phones.append(point)
            noteLink(number, header: header)
            // Some writers mark the number of a messenger's account by a type.
            for type in header.parameters.types {
                if let messenger = Messenger(word: type) { setMessenger(messenger, handle: number) }
            }
            if let account = header.parameters.whatsapp { setMessenger(.whatsapp, handle: account) }
        }
    }

    /// Whether there is room for another one. Copies of a program's own rows are one; the label of a group may differ, and a
    /// preference matters.
    func isNew(_ point: ContactPoint, in points: [ContactPoint], header: VCardHeader) -> Bool {
        let isOther = header.group != nil || header.parameters.preference < VCardParameters.noPreference
        return points.count < Self.mostOfAKind && (isOther || !points.contains(point))
    }

    mutating func addEmail(_ line: VCardLines.Line, header: VCardHeader) {
        for address in MailAddress.several(in: value(line, header: header)) {
            let point = point(address, header: header)
            let isMail = address.contains("@") || !point.types.contains(where: Self.otherMail.contains)
            guard isMail, !address.isNothing, isNew(point, in: contact.emails, header: header) else { continue }
            mark(header, as: .email)
            contact.emails.append(point)
        }
    }

    /// Networks whose addresses have no `@` (vCard 2.1 section 2.3.2).
    private static let otherMail: Set = ["tlx", "x400", "ibmmail", "mcimail", "attmail", "applelink", "prodigy", "cis"]

    mutating func addNicknames(_ names: [String]) {
        for name in names
        where contact.name.nicknames.count < Self.mostOfAKind && !contact.name.nicknames.contains(name) {
            contact.name.nicknames.append(name)
        }
    }

    /// PO box; extended address; street; city; region; postal code; country (RFC 6350 6.3.1).
    mutating func addAddress(_ line: VCardLines.Line, header: VCardHeader) {
        var address = PostalAddress()
        address[.formatted] = header.parameters.label ?? ""
        forEachComponent(of: line, header: header, separators: [", "]) { index, text in
            let part = PostalAddress.Part(rawValue: index)
            if let part, part != .formatted, !text.isNothing { address[part] = text }
        }
        address.splitBox()
        let lines = address.text
        var point = point(lines, header: header)
        guard !lines.isEmpty, isNew(point, in: contact.addresses, header: header) else { return }
        mark(header, as: .address)
        point.parts = address.parts(in: lines)
        contact.addresses.append(point)
    }

    /// A link that is not one of a messenger.
    mutating func addWebsite(_ address: String, header: VCardHeader) {
        let point = point(address, header: header)
        guard isNew(point, in: contact.websites, header: header) else { return }
        mark(header, as: .website)
        contact.websites.append(point)
    }

    /// RELATED (RFC 6350 6.6.6), Apple's names with a label, and properties of a spouse, a manager or an assistant.
    mutating func addRelation(_ relation: String, line: VCardLines.Line, header: VCardHeader) {
        guard contact.related.count < Self.mostOfAKind, let person = nonEmpty(line, header: header) else { return }
        var point = point(person, header: header)
        if !relation.isEmpty { point.types = point.types.filter { $0 != relation && $0 != "n" } + [relation] }
        // A program may write one spouse in several properties, Outlook as `X-MS-SPOUSE;N:`. The label of a group may differ.
        guard header.group != nil || !contact.related.contains(point) else { return }
        mark(header, as: .related)
        contact.related.append(point)
    }

    func point(_ value: String, header: VCardHeader) -> ContactPoint {
        var point = ContactPoint(value, types: header.parameters.types, label: header.parameters.customLabel)
        // Some writers name a number as an address is named.
        if header.field != .address, point.label == nil, let label = header.parameters.label { point.take(label) }
        return point
    }

    /// Remembers the next phone or address of this kind, if it needs further processing.
    mutating func mark(_ header: VCardHeader, as kind: PointKind) {
        let preference = header.parameters.preference
        guard preference < VCardParameters.noPreference || header.group != nil else { return }
        let index = contact[keyPath: kind.path].count
        marks.append(Mark(kind: kind, index: index, preference: preference, group: header.group))
    }

    mutating func addNote(_ line: VCardLines.Line, header: VCardHeader) {
        guard notes.count < Self.mostOfAKind, let note = nonEmpty(line, header: header) else { return }
        guard !notes.isEmpty else { return notes.append(note) }
        if knownNotes.isEmpty { knownNotes = Set(notes) }
        if knownNotes.insert(note).inserted { notes.append(note) }
    }

    mutating func addGroups(_ names: [String]) {
        for name in names { groups.add(ContactGroup(name)) }
    }

    mutating func setKind(_ word: String) {
        switch word.lowercased() {
        case "group": contact.kind = .group
        case "org": contact.kind = .organisation
        case "location": contact.kind = .location
        default: break
        }
    }

    mutating func addMember(_ value: String) {
        if let member = Self.withoutURN(value).filled { contact.members.append(member) }
    }

    /// UIDs occur with and without the prefix, and members of groups do not always use the form of the UID.
    static func withoutURN(_ uid: String) -> String {
        ASCII.has("urn:uuid:", in: uid) ? String(uid.dropFirst("urn:uuid:".count)) : uid
    }

    /// Apple wraps its own labels: `_$!<Mobile>!$_`.
    static func plainLabel(_ label: String) -> String {
        // Some programs escape it for a page.
        let label =
            ASCII.has("_$!&lt;", in: label) ? label.replacing("&lt;", with: "<").replacing("&gt;", with: ">") : label
        guard ASCII.has("_$!<", in: label), label.hasSuffix(">!$_") else { return label }
        return String(label.dropFirst(4).dropLast(4))
    }
}

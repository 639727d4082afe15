/// A contact while the lines of its card are read.
struct VCardDraft: ~Copyable {
    var contact = Contact(id: "")
    let card: UnsafeRawBufferPointer
    var text: VCardTextValue
    var photos: [VCardPhotoLine] = []
    /// Phones and addresses that need further processing once all lines are read.
    var marks: [Mark] = []
    var notes: [String] = []
    /// The contents of `notes`, once there are several.
    var knownNotes: Set<String> = []
    var groups = UniqueGroups(limit: VCardDraft.mostOfAKind)
    /// Labels of groups of lines, by the group's name.
    var labels: [String: String] = [:]
    /// Links and addresses that a label may turn into a messenger's.
    var links: [(group: String, address: String)] = []
    /// Addresses as they are printed (RFC 2426 3.2.2), for a card without any other.
    var postalLabels: [ContactPoint] = []
    /// By what the family name is sorted (RFC 2426 3.6.5), and a company.
    var sortString = ""
    var sortOrganisation = ""
    /// Apple's days, whose labels say what they are.
    var days: [(group: String, day: String)] = []
    /// The preference of the chosen formatted name.
    var formattedPreference = VCardParameters.noPreference
    /// Those of other fields of which one property counts.
    private var preferences: [VCardField: Int] = [:]
    /// A program made it, because one is required.
    var isFormattedDerived = false
    /// `VERSION:2.1` came after values that depend on it; the card must be read again.
    private(set) var isVersionLate = false
    private var hasValues = false
    /// A list of Evolution, whose addresses are those of its members.
    var isList = false
    /// Notices that the card is two.
    private(set) var beginnings = VCardBeginnings()
    private let lacksInnerEnd: Bool
    private var nesting: VCardNesting

    /// The maximum number of groups, of notes, and of phones and addresses of each kind: more than any contact has.
    static let mostOfAKind = 1000

    /// An address that is preferred, or that may have a label.
    struct Mark {
        let kind: PointKind
        let index: Int
        let preference: Int
        let group: String?
    }

    /// The lists whose elements have types, labels and preferences.
    enum PointKind: CaseIterable {
        case phone, email, address, website, social, related

        var path: WritableKeyPath<Contact, [ContactPoint]> {
            switch self {
            case .phone: \.phones
            case .email: \.emails
            case .address: \.addresses
            case .website: \.websites
            case .social: \.social
            case .related: \.related
            }
        }
    }

    init(card: UnsafeRawBufferPointer, text: VCardTextValue, lacksInnerEnd: Bool) {
        self.card = card
        self.text = text
        self.lacksInnerEnd = lacksInnerEnd
        nesting = VCardNesting(card: card, form: text.form, lacksInnerEnd: lacksInnerEnd)
    }

    mutating func add(_ line: VCardLines.Line, header: VCardHeader) {
        guard let field = header.field else { return }
        switch field {
        case .begin, .end, .agent: nesting.take(line)
        case .version where nesting.isOutside:
            // The lines of an inner object without an END count as the card's own, so a repetition proves nothing.
            if !lacksInnerEnd { beginnings.note(field, line: line, header: header, in: card) }
            setVersion(value(line, header: header))
        default:
            guard nesting.isOutside else { return }
            hasValues = true
            if !lacksInnerEnd { beginnings.note(field, line: line, header: header, in: card) }
            add(field, line: line, header: header)
        }
    }

    private mutating func setVersion(_ version: String) {
        let isOld = version == "2.1"
        if isOld, hasValues, !text.keepsFoldBlanks { isVersionLate = true }
        text.keepsFoldBlanks = isOld
    }

    private mutating func add(_ field: VCardField, line: VCardLines.Line, header: VCardHeader) {
        switch field {
        case .name where header.parameters.phonetic != nil: addReading(line, header: header)
        case .name: setName(line, header: header)
        case .formatted: setFormatted(line, header: header)
        case .nickname, .otherNickname, .nokiaNickname:
            addNicknames(parts(line, header: header, separator: UInt8(ascii: ",")))
        case .organisation where header.parameters.phonetic != nil:
            addForSorting(.phoneticOrganisation, line: line, header: header)
        case .organisation, .businessName:
            let units = text.read(line, header: header, body: VCardValue.units)
            let isFirst = contact.organisation.isEmpty
            if !units.isEmpty, takes(.organisation, header: header, isFirst: isFirst) { contact.organisation = units }
            Self.fill(&sortOrganisation, with: header.parameters.sortAs ?? "")
        case .title, .role:
            let path = field == .title ? \Contact.title : \Contact.role
            let text = nonEmpty(line, header: header)
            let isFirst = contact[keyPath: path] == nil
            if text != nil, takes(field, header: header, isFirst: isFirst) { contact[keyPath: path] = text }
        case .note: addNote(line, header: header)
        case .phone, .microsoftPhone: addPhone(line, header: header)
        case .email: addEmail(line, header: header)
        case .address: addAddress(line, header: header)
        case .birthday: contact.birthday = contact.birthday ?? date(line, header: header)
        case .photo, .logo, .otherPhoto:
            if let photo = VCardPhotoLine(line: line, header: header, card: card, text: text) { photos.append(photo) }
        case .android: addAndroidRow(line, header: header)
        case .uid: if contact.id.isEmpty { contact.id = Self.withoutURN(value(line, header: header)) }
        case .revision: contact.revision = nonEmpty(line, header: header)
        case .categories, .otherCategories, .groupMembership: addGroups(categories(line, header: header))
        case .kind, .appleKind: setKind(value(line, header: header))
        case .member, .appleMember: addMember(value(line, header: header))
        case .evolutionList: isList = ASCII.has("true", in: value(line, header: header))
        case .starred, .folksFavourite, .qtFavourite, .vip:
            let word = value(line, header: header)
            contact.isVIP = contact.isVIP || word == "1" || ASCII.has("true", in: word)
        case .online: contact.isOnline = value(line, header: header) == "1"
        case .chat: if contact.chatLog.count < Self.mostOfAKind { contact.chatLog.append(value(line, header: header)) }
        case .showAs: if ASCII.has("company", in: value(line, header: header)) { contact.kind = .organisation }
        case .label:
            if let group = header.group, let label = nonEmpty(line, header: header) {
                labels[group] = Self.plainLabel(label)
            }
        default: addOther(field, line: line, header: header)
        }
    }

    /// Whether this property counts: the preferred one, among equally preferred ones the first.
    private mutating func takes(_ field: VCardField, header: VCardHeader, isFirst: Bool) -> Bool {
        let preference = header.parameters.preference
        guard isFirst || preference < preferences[field, default: VCardParameters.noPreference] else { return false }
        if preference < VCardParameters.noPreference { preferences[field] = preference }
        return true
    }

    private mutating func addOther(_ field: VCardField, line: VCardLines.Line, header: VCardHeader) {
        if field.isAnniversary {
            contact.anniversary = contact.anniversary ?? date(line, header: header)
        } else if let relation = field.relation {
            addRelation(relation, line: line, header: header)
        } else if field.isForSorting {
            addForSorting(field, line: line, header: header)
        } else if field == .postalLabel {
            guard postalLabels.count < Self.mostOfAKind, let lines = nonEmpty(line, header: header) else { return }
            postalLabels.append(point(lines, header: header))
        } else if field == .appleDate {
            guard let group = header.group, let day = date(line, header: header) else { return }
            days.append((group, day))
        } else {
            addMessenger(field, line: line, header: header)
        }
    }

    /// The contact, its addresses in order of preference, its labels assigned, and its photo.
    consuming func finished() -> (Contact, VCardPhotoLine?) {
        settle()
        let photo = VCardPhotoLine.choice(photos, of: contact.kind)
        for mark in marks {
            guard let label = mark.group.flatMap({ labels[$0] }) else { continue }
            contact[keyPath: mark.kind.path][mark.index].take(label)
        }
        if !marks.isEmpty {
            for kind in PointKind.allCases where marks.contains(where: { $0.kind == kind }) { sort(kind) }
        }
        // Apple writes an account twice, each in a group of its own with a label.
        var profiles: Set<ContactPoint> = []
        if contact.social.count > 1 { contact.social.removeAll { !profiles.insert($0).inserted } }
        if !notes.isEmpty { contact.introduction = notes.joined(separator: "\n") }
        for (group, day) in days where labels[group].map(CalendarDate.isAnniversary) == true {
            contact.anniversary = contact.anniversary ?? day
        }
        // The label of a link's group may be what names its messenger.
        for (group, address) in links {
            guard let label = labels[group], let messenger = Messenger(word: label) else { continue }
            contact.messengers[messenger] = contact.messengers[messenger] ?? MessengerAddress(address).handle
        }
        // Moved, not copied: a copy would increment and decrement the reference count of every string and list.
        var finished = Contact(id: "")
        swap(&finished, &contact)
        return (finished, photo)
    }

    /// The preferred ones first, all others in their order.
    private mutating func sort(_ kind: PointKind) {
        let preferred = marks.filter { $0.kind == kind && $0.preference < VCardParameters.noPreference }
            .sorted { ($0.preference, $0.index) < ($1.preference, $1.index) }.map(\.index)
        if preferred.isEmpty || preferred == [0] { return }
        let (points, isPreferred) = (contact[keyPath: kind.path], Set(preferred))
        let others = points.indices.filter { !isPreferred.contains($0) }
        contact[keyPath: kind.path] = (preferred + others).map { points[$0] }
    }
}

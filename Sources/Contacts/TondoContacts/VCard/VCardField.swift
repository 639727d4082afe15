/// The supported properties, by their names in upper case.
enum VCardField: String, CaseIterable {
    case begin = "BEGIN"
    case end = "END"
    case version = "VERSION"
    case agent = "AGENT"
    case formatted = "FN"
    case name = "N"
    case nickname = "NICKNAME"
    case otherNickname = "X-NICKNAME"
    case nokiaNickname = "X-EPOCSECONDNAME"
    case organisation = "ORG"
    case businessName = "X-WA-BIZ-NAME"
    case title = "TITLE"
    case role = "ROLE"
    case note = "NOTE"
    case phone = "TEL"
    case microsoftPhone = "X-MS-TEL"
    case email = "EMAIL"
    case url = "URL"
    case evolutionBlog = "X-EVOLUTION-BLOG-URL"
    case kdeBlog = "X-KADDRESSBOOK-BLOGFEED"
    case address = "ADR"
    case birthday = "BDAY"
    case photo = "PHOTO"
    case uid = "UID"
    case revision = "REV"
    case categories = "CATEGORIES"
    case otherCategories = "X-CATEGORIES"
    case groupMembership = "X-GROUP-MEMBERSHIP"
    case kind = "KIND"
    case member = "MEMBER"
    case appleKind = "X-ADDRESSBOOKSERVER-KIND"
    case appleMember = "X-ADDRESSBOOKSERVER-MEMBER"
    case evolutionList = "X-EVOLUTION-LIST"
    case showAs = "X-ABSHOWAS"
    case starred = "X-DAVDROID-STARRED"
    case folksFavourite = "X-FOLKS-FAVOURITE"
    case qtFavourite = "X-QTPROJECT-FAVORITE"
    case vip = "X-TONDO-VIP"
    case online = "X-TONDO-ONLINE"
    case chat = "X-TONDO-CHAT"
    case label = "X-ABLABEL"
    case impp = "IMPP"
    case socialProfile = "SOCIALPROFILE"
    case appleSocialProfile = "X-SOCIALPROFILE"
    case fastmailSocialProfile = "X-SOCIAL-PROFILE"
    case microsoftIMAddress = "X-MS-IMADDRESS"
    case kdeIMAddress = "X-KADDRESSBOOK-X-IMADDRESS"
    case anniversary = "ANNIVERSARY"
    case plainAnniversary = "X-ANNIVERSARY"
    case evolutionAnniversary = "X-EVOLUTION-ANNIVERSARY"
    case kdeAnniversary = "X-KADDRESSBOOK-X-ANNIVERSARY"
    case microsoftAnniversary = "X-MS-ANNIVERSARY"
    case appleDate = "X-ABDATE"
    case related = "RELATED"
    case appleRelated = "X-ABRELATEDNAMES"
    case spouse = "X-SPOUSE"
    case evolutionSpouse = "X-EVOLUTION-SPOUSE"
    case kdeSpouse = "X-KADDRESSBOOK-X-SPOUSESNAME"
    case microsoftSpouse = "X-MS-SPOUSE"
    case manager = "X-MANAGER"
    case evolutionManager = "X-EVOLUTION-MANAGER"
    case kdeManager = "X-KADDRESSBOOK-X-MANAGERSNAME"
    case microsoftManager = "X-MS-MANAGER"
    case assistant = "X-ASSISTANT"
    case evolutionAssistant = "X-EVOLUTION-ASSISTANT"
    case kdeAssistant = "X-KADDRESSBOOK-X-ASSISTANTSNAME"
    case microsoftAssistant = "X-MS-ASSISTANT"
    case microsoftChild = "X-MS-CHILD"
    case postalLabel = "LABEL"
    case phoneticGiven = "X-PHONETIC-FIRST-NAME"
    case phoneticFamily = "X-PHONETIC-LAST-NAME"
    case phoneticOrganisation = "X-PHONETIC-ORG"
    case sortString = "SORT-STRING"
    case sound = "SOUND"
    /// An account in a network, which the name has, see `network(ofProperty:)`.
    case account = "X-"
    case logo = "LOGO"
    case otherPhoto = "X-PHOTO"
    case android = "X-ANDROID-CUSTOM"

    /// The hash of a name in upper case, computed incrementally while a line is read.
    struct NameHash {
        // FNV-1a of 64 bits: one multiplication for each byte, and no copy of the name.
        private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

        @inline(__always)
        mutating func add(_ byte: UInt8) { value = (value ^ UInt64(ASCII.lowered(byte))) &* 0x100_0000_01B3 }
    }

    /// Each field in the slot of its hash, or in the next free one: a lookup for every line must not cost a
    /// dictionary's hashing in addition.
    private static let slots: [(hash: UInt64, field: VCardField)?] = {
        var slots = [(hash: UInt64, field: VCardField)?](repeating: nil, count: 256)
        for field in allCases {
            var hash = NameHash()
            for byte in field.rawValue.utf8 { hash.add(byte) }
            var slot = Int(hash.value >> 56)
            while slots[slot] != nil { slot = (slot + 1) & 255 }
            slots[slot] = (hash.value, field)
        }
        return slots
    }()

    init?(_ hash: NameHash) {
        var slot = Int(hash.value >> 56)
        while let entry = Self.slots[slot] {
            // Names are not compared: a name with the 64 bits of another one would have to be made on purpose.
            if entry.hash == hash.value {
                self = entry.field
                return
            }
            slot = (slot + 1) & 255
        }
        return nil
    }

    /// A text of words: a line that can be no property is its rest, and it may be encoded without declaring it.
    var isText: Bool {
        switch self {
        case .formatted, .name, .organisation, .businessName, .title, .role: true
        default: hasLines || isNickname
        }
    }

    /// Text in which programs leave traces of other formats, see `TextRepair`.
    var isProse: Bool {
        isText || isPage || isCategories || self == .label || self == .email
    }

    var isNickname: Bool { self == .nickname || self == .otherNickname || self == .nokiaNickname }

    /// Names of groups.
    var isCategories: Bool { self == .categories || self == .otherCategories || self == .groupMembership }

    /// A text of several lines.
    var hasLines: Bool { self == .note || self == .address || self == .postalLabel }

    /// A picture of the contact, or one that can stand for it.
    var isPhoto: Bool { self == .photo || self == .logo || self == .otherPhoto }

    /// The day that comes each year.
    var isAnniversary: Bool {
        [.anniversary, .plainAnniversary, .evolutionAnniversary, .kdeAnniversary, .microsoftAnniversary].contains(self)
    }

    /// A person around the contact; empty for one whose types or label say what they are.
    var relation: String? {
        switch self {
        case .related, .appleRelated: ""
        case .spouse, .evolutionSpouse, .kdeSpouse, .microsoftSpouse: "spouse"
        case .manager, .evolutionManager, .kdeManager, .microsoftManager: "manager"
        case .assistant, .evolutionAssistant, .kdeAssistant, .microsoftAssistant: "assistant"
        case .microsoftChild: "child"
        default: nil
        }
    }

    /// The address of a page.
    var isPage: Bool { [.url, .evolutionBlog, .kdeBlog].contains(self) }

    /// How a name sounds, or what it is sorted by.
    var isForSorting: Bool {
        [.phoneticGiven, .phoneticFamily, .phoneticOrganisation, .sortString, .sound].contains(self)
    }

    /// The network whose accounts have a property of their own: `X-SKYPE`, KAddressBook's `X-messaging/icq-All`. Nil for
    /// another property.
    static func network(ofProperty name: String) -> String? {
        guard ASCII.has("x-", in: name) else { return nil }
        let word = name.dropFirst(2).lowercased().filter { $0 != " " }
        if word.hasPrefix("messaging/"), word.hasSuffix("-all") { return String(word.dropFirst(10).dropLast(4)).filled }
        return networks.contains(word) ? word : nil
    }

    static let networks = Set(
        """
        aim discord facebook gadugadu github google-talk googletalk groupwise gtalk icq instagram jabber line linkedin \
        mastodon matrix msn qq signal sip skype skype-username snapchat telegram threema twitter viber wechat whatsapp yahoo \
        yahoo-id
        """.split(separator: " ").map(String.init))
}

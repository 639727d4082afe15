/// The supported properties, by their names in upper case.
enum VCardField: String, CaseIterable {
    case begin = "BEGIN"
    case end = "END"
    case version = "VERSION"
    case agent = "AGENT"
    case formatted = "FN"
    case name = "N"
    case nickname = "NICKNAME"
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
    case telegram = "X-TELEGRAM"
    case whatsapp = "X-WHATSAPP"
    case viber = "X-VIBER"
    case signal = "X-SIGNAL"
    case threema = "X-THREEMA"
    case aim = "X-AIM"
    case discord = "X-DISCORD"
    case facebook = "X-FACEBOOK"
    case gaduGadu = "X-GADUGADU"
    case googleTalk = "X-GOOGLE-TALK"
    case spacedGoogleTalk = "X-GOOGLETALK"
    case groupwise = "X-GROUPWISE"
    case gtalk = "X-GTALK"
    case icq = "X-ICQ"
    case instagram = "X-INSTAGRAM"
    case jabber = "X-JABBER"
    case line = "X-LINE"
    case linkedin = "X-LINKEDIN"
    case mastodon = "X-MASTODON"
    case matrix = "X-MATRIX"
    case msn = "X-MSN"
    case qq = "X-QQ"
    case sip = "X-SIP"
    case skype = "X-SKYPE"
    case skypeName = "X-SKYPE-USERNAME"
    case twitter = "X-TWITTER"
    case wechat = "X-WECHAT"
    case yahoo = "X-YAHOO"
    case yahooID = "X-YAHOO-ID"
    case kdeICQ = "X-MESSAGING/ICQ-ALL"
    case kdeSkype = "X-MESSAGING/SKYPE-ALL"
    case kdeXMPP = "X-MESSAGING/XMPP-ALL"
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
        case .formatted, .name, .nickname, .organisation, .businessName, .title, .role: true
        default: hasLines
        }
    }

    /// Text in which programs leave traces of other formats, see `TextRepair`.
    var isProse: Bool {
        isText || isPage || [.categories, .otherCategories, .label, .email].contains(self)
    }

    /// A text of several lines.
    var hasLines: Bool { self == .note || self == .address || self == .postalLabel }

    /// A picture of the contact, or one that can stand for it.
    var isPhoto: Bool { self == .photo || self == .logo || self == .otherPhoto }

    /// The day that comes each year.
    var isAnniversary: Bool {
        switch self {
        case .anniversary, .plainAnniversary, .evolutionAnniversary, .kdeAnniversary, .microsoftAnniversary: true
        default: false
        }
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
        switch self {
        case .phoneticGiven, .phoneticFamily, .phoneticOrganisation, .sortString, .sound: true
        default: false
        }
    }

    /// The network of this property, which is no messenger of `Messenger`.
    var network: String? {
        switch self {
        case .googleTalk, .spacedGoogleTalk: "gtalk"
        case .kdeICQ, .kdeSkype, .kdeXMPP: rawValue.dropFirst("X-MESSAGING/".count).dropLast(4).lowercased()
        case .skypeName: "skype"
        case .yahooID: "yahoo"
        case .aim, .discord, .facebook, .gaduGadu, .groupwise, .gtalk, .icq, .instagram, .jabber, .line, .linkedin,
            .mastodon, .matrix, .msn, .qq, .sip, .skype, .twitter, .wechat, .yahoo:
            rawValue.dropFirst(2).lowercased()
        default: nil
        }
    }

    /// The messenger of this property.
    var messenger: Messenger? {
        switch self {
        case .telegram: .telegram
        case .whatsapp: .whatsapp
        case .viber: .viber
        case .signal: .signal
        case .threema: .threema
        default: nil
        }
    }
}

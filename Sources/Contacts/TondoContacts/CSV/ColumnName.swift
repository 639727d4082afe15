/// What a column of Outlook, Thunderbird, LinkedIn, Apple's Contacts and most plain exports has, by its name. This is English;
/// `ColumnTables` and `ColumnWords` have the other languages.
enum ColumnName: Hashable {
    case plain(GoogleColumns.Column)
    /// With the type of the address, as `GoogleLabel` reads it.
    case email(String)
    case phone(String)
    case website(String)
    /// With the network, as the types of accounts have it.
    case account(String)
    case address(String, PostalAddress.Part)
    /// Known, and not shown.
    case ignored

    /// `name`: in lower case. Nil for a column without a meaning here.
    init?(_ name: String) {
        guard let words = Self.words(name) else { return nil }
        // `billing_first_name`, `contact.email`, `Default Address Phone`
        var rest = words
        while true {
            if let column = Self(rest) {
                self = column
                return
            }
            guard rest.count > 1, Self.owners.contains(rest[0]) else { return nil }
            rest.removeFirst()
        }
    }

    private init?(_ words: [String]) {
        let name = words.joined(separator: " ")
        let isWebsite = Self.websites.contains(words.filter { Int($0) == nil }.joined(separator: " "))
        let known = Self.whole[name] ?? Self.plain[name].map { .plain($0) } ?? Self.address(words)
        let column =
            known ?? Self.bareParts[name].map { .address("", $0) }
            ?? Self.kind(words, of: Self.emailWords).map { .email($0) }
            ?? (Self.kind(words, of: Self.phoneWords) ?? Self.place(of: words)).map { .phone($0) }
            ?? (isWebsite ? .website("") : Self.network(words).map { .account($0) })
        guard let column else { return nil }
        self = column
    }

    /// `E-mail 2 Address`, `Phone (mobile)` and `first_name` as words. Nil if one of them is in no name.
    private static func words(_ name: String) -> [String]? {
        guard let letters = letters(name) else { return nil }
        var words: [String] = []
        for run in letters.split(whereSeparator: { !isPart($0) }) {
            let word = String(decoding: run, as: UTF8.self)
            // `email2`
            let digits = run.reversed().prefix(while: isDigit).count
            if digits == run.count {
                words.append(word)
                continue
            }
            let letters = String(word.dropLast(digits))
            guard let parts = vocabulary.contains(letters) ? [letters] : joined(letters) else { return nil }
            words += parts
            if digits > 0 { words.append(String(word.suffix(digits))) }
        }
        return words
    }

    /// The name's bytes, "e-mail" as "email". Nil if it has letters beyond ASCII, which no English name has.
    private static func letters(_ name: String) -> [UInt8]? {
        var letters: [UInt8] = []
        letters.reserveCapacity(name.utf8.count)
        let name = name.utf8.contains(UInt8(ascii: "-")) ? name.replacing("e-mail", with: "email") : name
        for scalar in name.unicodeScalars {
            if scalar.isASCII {
                letters.append(UInt8(truncatingIfNeeded: scalar.value))
            } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                return nil
            } else {
                letters.append(UInt8(ascii: " "))
            }
        }
        return letters
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

    private static func isPart(_ byte: UInt8) -> Bool { ASCII.isLetter(byte) || isDigit(byte) }

    /// `homePostalCode` and `PrimarySmtpAddress` as words, three at most. Nil if they are others.
    private static func joined(_ letters: String, _ most: Int = 3) -> [String]? {
        if letters.utf8.count > 32 { return nil }
        for end in letters.indices.dropFirst() where vocabulary.contains(String(letters[..<end])) {
            let (first, rest) = (String(letters[..<end]), String(letters[end...]))
            if vocabulary.contains(rest) { return [first, rest] }
            if most > 2, let others = joined(rest, most - 1) { return [first] + others }
        }
        return nil
    }

    /// The words of the type; nil if there are other words. `main`: words for the kind of column, one of which must be
    /// there, unless the type implies it.
    private static func kind(_ words: [String], of main: Main) -> String? {
        var kinds: [String] = []
        var isMain = false
        for word in words where Int(word) == nil && !fillers.contains(word) {
            if main.words.contains(word) {
                isMain = true
            } else if let kind = Self.kinds[word] {
                kinds.append(kind)
            } else {
                return nil
            }
        }
        let matches = kinds.contains(where: main.kinds.contains)
        return isMain || matches ? kinds.joined(separator: " ") : nil
    }

    /// `Office Number`, `Work Number 2`: a person has no other number there.
    private static func place(of words: [String]) -> String? {
        let words = words.filter { Int($0) == nil }
        guard words.count == 2, words[1] == "number", let place = kinds[words[0]] else { return nil }
        return ["home", "work", "other"].contains(place) ? place : nil
    }

    private static func network(_ words: [String]) -> String? {
        let word = words.filter { !accountFillers.contains($0) && Int($0) == nil }.joined(separator: "-")
        return networks.contains(word) ? VCardDraft.networks[word] ?? word : nil
    }

    /// `Home Street`, `Business Postal Code`, `Work Address 2`; nil for anything else. Of several addresses, the primary one
    /// is none of the others.
    private static func address(_ words: [String]) -> ColumnName? {
        guard words.count >= 2, let kind = addressKinds[words[0]] else { return nil }
        var rest = words.dropFirst()
        if rest.first == "address", rest.count > 1, Int(rest.last ?? "") == nil { rest = rest.dropFirst() }
        return addressParts[rest.joined(separator: " ")].map { .address(kind, $0) }
    }

    /// Names whose words mean something else apart. ERPNext writes the table of a field behind its name.
    private static let whole: [String: ColumnName] = [
        "contact no": .phone(""), "contact number": .phone(""), "email id email ids": .email(""),
        "number contact numbers": .phone(""), "contact numbers": .phone(""), "imaddress": .account(""),
        "assistant phone": .phone("assistant"), "assistant s phone": .phone("assistant"),
        "urn tel": .phone(""), "urn mailto": .email(""), "urn whatsapp": .account("whatsapp"),
        "urn telegram": .account("telegram"), "asst phone": .phone("assistant"), "reports to": .plain(.manager),
        "description": .plain(.notes),
    ]
    private static let addressKinds = [
        "home": "home", "business": "work", "work": "work", "other": "other", "primary": "primary",
        "mailing": "primary", "general": "primary", "billing": "billing", "address": "", "alternate": "other",
        "alt": "other", "secondary": "other", "office": "work", "private": "home", "residential": "home",
    ]
    /// Words for the person of the row, which programs put before other names.
    private static let owners: Set<String> = [
        "billing", "contact", "customer", "client", "user", "individual", "address", "default", "person",
    ]
    /// Those of no kind that `ColumnWords` does not know.
    private static let bareParts: [String: PostalAddress.Part] = [
        "state id": .region, "country id": .country, "state prov": .region, "suburb": .city, "post code": .code,
        "apt suite": .extended, "supplemental address 1": .extended, "supplemental address 2": .extended,
    ]
    private static let addressParts: [String: PostalAddress.Part] = [
        "street": .street, "address": .street, "street 2": .extended, "address 2": .extended, "street 3": .extended,
        "address 3": .extended, "city": .city, "state": .region, "region": .region, "province": .region,
        "postal code": .code, "zip": .code, "zip code": .code, "zipcode": .code, "postcode": .code, "country": .country,
        "country region": .country, "po box": .box, "zip postal code": .code, "postal": .code,
        "state province": .region, "town": .city, "postal zip code": .code, "p o box": .box, "extension": .extended,
        "country id": .country, "post code": .code, "address 1": .street, "province code": .region,
        "state code": .region, "country code": .country,
    ]

    private struct Main {
        let words: Set<String>
        /// Types that no other kind of column has.
        let kinds: Set<String>
    }

    private static let emailWords = Main(words: ["email", "emails", "mail", "smtp"], kinds: [])
    private static let phoneWords = Main(
        words: ["phone", "phones", "telephone", "tel", "whatsapp", "callback", "isdn", "msisdn"],
        kinds: ["mobile", "fax", "pager"])
    /// Words beside a name or number without a meaning.
    private static let fillers: Set<String> = [
        "address", "number", "no", "primary", "value", "company", "general", "id", "contact", "tdd",
    ]
    private static let kinds = [
        "home": "home", "personal": "home", "private": "home", "work": "work", "business": "work", "office": "work",
        "mobile": "mobile", "cell": "mobile", "cellphone": "mobile", "cellular": "mobile", "main": "main",
        "other": "other", "secondary": "other", "alternate": "other", "alt": "other", "fax": "fax", "pager": "pager",
        "car": "car",
        "radio": "radio", "iphone": "mobile", "mob": "mobile", "tty": "tty",
    ]
    private static let websites: Set<String> = [
        "web page", "website", "blog", "web site", "url", "personal web page", "homepage", "web address",
        "general web address", "home web address", "business web address",
    ]
    /// Others are words of other columns.
    private static let networks = VCardField.networks.subtracting(["line", "matrix", "sip", "whatsapp"])
    /// Words beside the name of a network.
    private static let accountFillers: Set<String> = [
        "account", "address", "handle", "id", "link", "name", "number", "page", "profile", "url", "user", "username",
    ]

    private static let plain: [String: GoogleColumns.Column] = [
        "full name": .formatted, "fullname": .formatted, "display name": .formatted, "displayname": .formatted,
        "contact name": .formatted, "contact": .formatted, "name": .formatted, "first": .given, "first name": .given,
        "firstname": .given, "forename": .given, "forenames": .given, "given name": .given, "givenname": .given,
        "middle": .additional, "middle name": .additional, "last": .family, "last name": .family, "lastname": .family,
        "surname": .family, "family name": .family, "familyname": .family, "name prefix": .prefix, "prefix": .prefix,
        "salutation": .prefix, "suffix": .suffix, "nickname": .nickname, "nick name": .nickname, "known as": .nickname,
        "company": .organisation, "account name": .organisation, "company name": .organisation,
        "organization": .organisation, "organisation": .organisation, "organization name": .organisation,
        "employer": .organisation, "department": .department, "job title": .title, "title": .title, "position": .title,
        "role": .occupation, "profession": .occupation, "note": .notes, "notes": .notes, "comments": .notes,
        "comment": .notes, "photo": .photo, "picture": .photo, "groups": .categories, "group": .groups,
        "categories": .categories, "category": .categories, "tags": .categories, "birthday": .birthday,
        "birth date": .birthday, "date of birth": .birthday, "birthdate": .birthday, "dob": .birthday,
        "d o b": .birthday, "anniversary": .anniversary, "wedding anniversary": .anniversary, "spouse": .spouse,
        "manager s name": .manager, "manager name": .manager, "manager": .manager, "assistant s name": .assistant,
        "assistant name": .assistant, "assistant": .assistant, "given yomi": .sortGiven, "surname yomi": .sortFamily,
        "associated company": .organisation, "nick": .nickname, "user name": .account, "username": .account,
        "user principal name": .account, "userprincipalname": .account, "birth year": .birthYear,
        "birth month": .birthMonth, "birth day": .birthDay, "born": .birthday, "born on": .birthday, "fname": .given,
        "lname": .family, "job": .title, "job position": .title, "function": .title, "parent id name": .organisation,
        "related company": .organisation, "current employer": .organisation, "designation": .title,
    ]

    /// All words of the names here: a name with another one has no meaning.
    private static let vocabulary: Set<String> = {
        var words = fillers.union(emailWords.words).union(phoneWords.words).union(kinds.keys).union(addressKinds.keys)
        words.formUnion(accountFillers.union(owners))
        let names = Array(plain.keys) + Array(whole.keys) + Array(addressParts.keys) + Array(bareParts.keys)
        for name in names + websites + networks {
            words.formUnion(name.split { $0 == " " || $0 == "-" }.map(String.init))
        }
        return words
    }()
}

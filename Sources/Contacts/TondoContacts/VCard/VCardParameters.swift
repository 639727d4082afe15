/// The parameters of a property, with names or, as in vCard 2.1, without (RFC 6350 section 5).
@dynamicMemberLookup
struct VCardParameters {
    enum Encoding { case none, base64, quotedPrintable }

    private(set) var encoding = Encoding.none
    private(set) var charset: Charset?
    /// VALUE declares a URI.
    private(set) var isURI = false
    /// In lower case, without `pref`.
    private(set) var types: [String] = []
    /// 1 comes first, 100 last; 101 without a preference (RFC 6350 5.3).
    private(set) var preference = VCardParameters.noPreference
    /// The scheme of a URI that stands where its kind should: `VALUE=https://...`.
    private(set) var scheme: String?
    /// One of several spellings of one property, or of several languages (RFC 6350 5.1, 5.4).
    private(set) var isAlternative = false
    private var rare: Rare?

    static let noPreference = 101
    /// More than any line has. Each is compared with those before it.
    private static let mostTypes = 24

    /// Rare parameters, stored separately so that the common case stays small. Written only while the parameters are
    /// read.
    final class Rare {
        fileprivate(set) var crop: PhotoCrop?
        /// The messenger or network of an address: X-SERVICE-TYPE, or SERVICE-TYPE (RFC 9554 4.9).
        fileprivate(set) var service: String?
        /// The account's name: X-USER, or USERNAME (RFC 9554 4.10).
        fileprivate(set) var user: String?
        /// A postal address as it is printed (RFC 6350 6.3.1); beside other values, as `customLabel`.
        fileprivate(set) var label: String?
        /// The name that a person gave to a number or an address.
        fileprivate(set) var customLabel: String?
        /// A list: by what the parts of the value are sorted (RFC 6350 5.9).
        fileprivate(set) var sortAs: String?
        /// The year of a date whose year is not known, as Apple writes it.
        fileprivate(set) var omittedYear: String?
        /// A program made the value of others of the card (RFC 9554 4.4).
        fileprivate(set) var isDerived: Bool?
        /// The account of WhatsApp that a number has: the number in digits, with the code of its country.
        fileprivate(set) var whatsapp: String?
        /// The value is how others of the card sound: `ipa`, `jyut`, `piny` or `script` (RFC 9554 4.6).
        fileprivate(set) var phonetic: String?
    }

    subscript<Value>(dynamicMember path: KeyPath<Rare, Value?>) -> Value? { rare.flatMap { $0[keyPath: path] } }

    /// `parameter`: the text between two semicolons.
    mutating func add(_ parameter: UnsafeRawBufferPointer) {
        if parameter.first.map({ $0 | 0x20 == UInt8(ascii: "x") }) == true, ASCII.has("x-custom(", in: parameter) {
            return addCustomLabel(UnsafeRawBufferPointer(rebasing: parameter[9...]))
        }
        guard let equals = parameter.firstIndex(of: UInt8(ascii: "=")) else { return addWord(ASCII.trimmed(parameter)) }
        let name = ASCII.trimmed(UnsafeRawBufferPointer(rebasing: parameter[..<equals]))
        var value = ASCII.trimmed(UnsafeRawBufferPointer(rebasing: parameter[(equals + 1)...]))
        // Some writers escape what follows, too.
        while value.last == UInt8(ascii: "\\") { value = UnsafeRawBufferPointer(rebasing: value.dropLast()) }
        switch name.count {
        case 4 where ASCII.equals(name, "type"): addTypes(value)
        case 4 where ASCII.equals(name, "pref"):
            // Some writers put commas between parameters: `PREF=1,TYPE=HOME`.
            let comma = value.firstIndex(of: UInt8(ascii: ",")) ?? value.count
            prefer(Int(Self.text(UnsafeRawBufferPointer(rebasing: value[..<comma]))) ?? 1)
            addTypes(UnsafeRawBufferPointer(rebasing: value[comma...].dropFirst()))
        case 5 where ASCII.equals(name, "value"):
            isURI = isURI || Self.meansURI(value)
            if ASCII.equals(value, "https") { scheme = "https" } else if ASCII.equals(value, "http") { scheme = "http" }
        case 7 where ASCII.equals(name, "charset"): charset = Charset(name: Self.text(value))
        case 8 where ASCII.equals(name, "encoding"): if !addEncoding(value) { addOtherEncoding(value) }
        default: addRare(name, value: value)
        }
    }

    private mutating func addRare(_ name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        guard ASCII.has("x", in: name) || name.count >= 7 || 4...5 ~= name.count else { return }
        if ASCII.equals(name, "altid") || ASCII.equals(name, "language") {
            isAlternative = true
            return
        }
        let rare = self.rare ?? Rare()
        switch ASCII.loweredString(name) {
        case "x-user", "x-username", "username", "x-user-id", "x-userid": rare.user = Self.text(value)
        case "x-service-type", "service-type", "x-service": rare.service = Self.text(value)
        case "x-abcrop-rectangle": rare.crop = PhotoCrop(abCropRectangle: Self.text(value))
        case "sort-as": rare.sortAs = Self.text(value)
        case "x-apple-omit-year": rare.omittedYear = Self.text(value)
        case "phonetic": rare.phonetic = Self.text(value).lowercased()
        case "derived": rare.isDerived = ASCII.equals(value, "true")
        case "x-label", "x-ablabel": rare.customLabel = Self.text(value)
        case "label": rare.label = Array(Self.text(value).utf8).withUnsafeBytes(VCardValue.text)
        case "waid": rare.whatsapp = Self.text(value).filter { ("0"..."9").contains($0) }.filled.map { "+" + $0 }
        default: return
        }
        self.rare = rare
    }

    /// The network of an address, which the name of its property has.
    mutating func take(network: String) { change { $0.service = network } }

    private mutating func change(_ body: (Rare) -> Void) {
        let rare = self.rare ?? Rare()
        body(rare)
        self.rare = rare
    }

    /// vCard 2.1 omits the names of parameters.
    private mutating func addWord(_ word: UnsafeRawBufferPointer) {
        if addEncoding(word) { return }
        if Self.meansURI(word) { isURI = true } else { addTypes(word, mayBeLabels: true) }
    }

    private mutating func addEncoding(_ word: UnsafeRawBufferPointer) -> Bool {
        switch word.count {
        case 1 where ASCII.equals(word, "b"), 6 where ASCII.equals(word, "base64"),
            8 where ASCII.equals(word, "\"base64\""):
            encoding = .base64
        case 16 where ASCII.equals(word, "quoted-printable"), 1 where ASCII.equals(word, "q"),
            2 where ASCII.equals(word, "qp"), 6 where ASCII.equals(word, "quoted"):
            encoding = .quotedPrintable
        case 4 where ASCII.equals(word, "8bit") || ASCII.equals(word, "7bit"): encoding = .none
        default: return false
        }
        return true
    }

    /// What some writers call quoted-printable and base64; a character set can be in the wrong place, too.
    private mutating func addOtherEncoding(_ value: UnsafeRawBufferPointer) {
        // Some writers repeat it: `ENCODING=b,b`.
        let text = String(Self.text(value).split(separator: ",").first ?? "")
        encoding = .none
        switch text.lowercased().filter({ $0.isLetter || $0.isNumber }) {
        case "quotedprintable", "quoted", "quotedprint", "quoteprintable", "quotedprintible", "printable", "qp":
            encoding = .quotedPrintable
        case "b", "base64", "b64", "mimebase64", "base": encoding = .base64
        default: charset = charset ?? Charset(name: text)
        }
    }

    /// Samsung's `X-CUSTOM(CHARSET=UTF-8,ENCODING=QUOTED-PRINTABLE,=48=C3=BC=74=74=65)`: the label comes last.
    private mutating func addCustomLabel(_ text: UnsafeRawBufferPointer) {
        var inner = VCardParameters()
        var label: UnsafeRawBufferPointer?
        var start = 0
        let list = UnsafeRawBufferPointer(rebasing: text.last == UInt8(ascii: ")") ? text.dropLast() : text[...])
        while start < list.count {
            let rest = UnsafeRawBufferPointer(rebasing: list[start...])
            guard ASCII.has("charset=", in: rest) || ASCII.has("encoding=", in: rest),
                let comma = rest.firstIndex(of: UInt8(ascii: ","))
            else {
                label = rest
                break
            }
            inner.add(UnsafeRawBufferPointer(rebasing: rest[..<comma]))
            start += comma + 1
        }
        guard let label else { return }
        let bytes = inner.encoding == .quotedPrintable ? QuotedPrintable.decode(label) : Array(label)
        let utf8 = bytes.withUnsafeBytes { CharsetDecoder().utf8($0, charset: inner.charset ?? .utf8) }
        change { $0.customLabel = String(decoding: utf8, as: UTF8.self).trimmed.filled }
    }

    private static func meansURI(_ word: UnsafeRawBufferPointer) -> Bool {
        ASCII.equals(word, "uri") || ASCII.equals(word, "url")
    }

    /// A list, quoted as a whole or word by word.
    private mutating func addTypes(_ list: UnsafeRawBufferPointer, mayBeLabels: Bool = false) {
        var start = 0
        for end in 0...list.count
        where end == list.count || list[end] == UInt8(ascii: ",") || list[end] == UInt8(ascii: "\"") {
            addType(ASCII.trimmed(UnsafeRawBufferPointer(rebasing: list[start..<end])), mayBeLabel: mayBeLabels)
            start = end + 1
        }
    }

    private mutating func addType(_ text: UnsafeRawBufferPointer, mayBeLabel: Bool) {
        // Some writers escape the comma between types, as in values.
        var word = text
        while word.last == UInt8(ascii: "\\") { word = UnsafeRawBufferPointer(rebasing: word.dropLast()) }
        // Some repeat the name of the parameter: `TYPE=work,TYPE=fax`.
        if ASCII.has("type=", in: word) { word = UnsafeRawBufferPointer(rebasing: word.dropFirst(5)) }
        if word.count == 0 || types.count == Self.mostTypes { return }
        if ASCII.equals(word, "pref") { return prefer(1) }
        if ASCII.has("pref=", in: word) { return prefer(Int(String(decoding: word.dropFirst(5), as: UTF8.self)) ?? 1) }
        let type = VCardDraft.plainLabel(ASCII.loweredString(word))
        // Android's own labels. Behind `TYPE=`, such a word is a mark of the program that wrote it.
        if mayBeLabel, word.count > 2, ASCII.has("x-", in: word) {
            change { $0.customLabel = $0.customLabel ?? String(decoding: word.dropFirst(2), as: UTF8.self) }
        }
        // A person's own label: no type has a blank.
        if word.contains(UInt8(ascii: " ")) {
            return change { $0.customLabel = $0.customLabel ?? String(decoding: word, as: UTF8.self) }
        }
        // No other spelling is so short, or begins so: `cell`, `home`, `work`, `internet`.
        let spelled = word.count < 5 || word[0] | 0x20 == UInt8(ascii: "i") ? nil : Self.spellings[type]
        guard let spelled else { return addType(type) }
        for type in spelled { addType(type) }
    }

    private mutating func addType(_ type: String) { if !types.contains(type) { types.append(type) } }

    /// Types of Roundcube and others, and in the user's language, as everyone else writes them.
    private static let spellings = [
        "mobile": ["cell"], "cellular": ["cell"], "homefax": ["home", "fax"], "workfax": ["work", "fax"],
        "otherfax": ["fax"], "home2": ["home"], "work2": ["work"], "business": ["work"], "main-number": ["main"],
        "arbeit": ["work"], "geschäftlich": ["work"], "privat": ["home"], "mobil": ["cell"], "handy": ["cell"],
        "maison": ["home"], "domicile": ["home"], "travail": ["work"], "bureau": ["work"], "portable": ["cell"],
        "trabajo": ["work"], "trabalho": ["work"], "celular": ["cell"], "lavoro": ["work"], "thuis": ["home"],
    ]

    private mutating func prefer(_ rank: Int) { preference = min(preference, max(rank, 1)) }

    /// Unquoted, with the escapes of RFC 6868 resolved.
    private static func text(_ value: UnsafeRawBufferPointer) -> String {
        var value = value
        if value.count >= 2, value.first == UInt8(ascii: "\""), value.last == UInt8(ascii: "\"") {
            value = UnsafeRawBufferPointer(rebasing: value[1..<(value.count - 1)])
        }
        let text = String(decoding: value, as: UTF8.self)
        guard value.contains(UInt8(ascii: "^")) else { return text }
        return text.replacing(/\^([n^'])/) { $0.1 == "n" ? "\n" : $0.1 == "'" ? "\"" : "^" }
    }
}

extension PhotoCrop {
    /// Reads Apple's `ABClipRect_1&x&y&width&height&hash`; nil for other text, or an empty rectangle.
    init?(abCropRectangle text: String) {
        // A fold may have left blanks, and some writers use fractions of pixels.
        let parts = text.filter { $0 != " " && $0 != "\t" }.split(separator: "&", omittingEmptySubsequences: false)
        guard parts.count >= 5, parts[0].lowercased() == "abcliprect_1" else { return nil }
        let numbers = parts[1...4].compactMap { part in
            Int(part) ?? Double(part).flatMap { abs($0) < 1e9 ? Int($0.rounded()) : nil }
        }
        guard numbers.count == 4, numbers[2] > 0, numbers[3] > 0 else { return nil }
        self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
}

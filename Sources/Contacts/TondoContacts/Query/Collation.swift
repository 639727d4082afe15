private import _FoundationICU

/// The order of a locale's rules as bytes (sort keys of ICU, all levels), which are compared faster than texts by far: a key takes
/// two microseconds once, a comparison by the rules takes five each time.
final class Collation {
    private let rules: OpaquePointer?
    /// By the Chinese rules (pinyin), for names that begin with a Han character; nil: the locale's own rules order them.
    private let han: OpaquePointer?
    private let isPinyin: Bool
    private var units: [UInt16] = []
    private var buffer = [UInt8](repeating: 0, count: 256)

    /// `identifier`: such as `sv_SE`; empty for the root rules. `isPrimary`: neither accents nor case count.
    init(_ identifier: String, isPrimary: Bool = false) {
        rules = Self.open(identifier)
        if isPrimary {
            var status = U_ZERO_ERROR
            swift_ucol_setAttribute(rules, UCOL_STRENGTH, UCOL_PRIMARY, &status)
        }
        let language = identifier.prefix { $0.isLetter }.lowercased()
        han = ["zh", "yue", "ja", "ko"].contains(language) ? nil : Self.open("zh_CN")
        isPinyin = han != nil || CollationLocale.identifier(identifier) == "zh"
    }

    deinit {
        for collator in [rules, han] where collator != nil { swift_ucol_close(collator) }
    }

    /// Ascending like the names by the rules. Names that are equal by the rules have equal keys. Names that begin with a Han
    /// character come last where the locale has no order of them but that of their code points.
    func key(_ text: String) -> [UInt8] {
        guard Self.isHan(text) else { return key(text, by: rules, after: 0) }
        let name = isPinyin ? Self.familyName(soundingAs: text) : text
        return key(name, by: han ?? rules, after: han == nil ? 0 : 1)
    }

    /// With a character that sounds as a Chinese family name does, if that sounds otherwise than its own in other words (曾: Zeng, else
    /// céng). Longer texts than names of people as they are.
    static func familyName(soundingAs name: String) -> String {
        guard let first = name.first, let other = homophones[first], name.count <= 3 else { return name }
        return String(other) + name.dropFirst()
    }

    private static let homophones: [Character: Character] = [
        "曾": "增", "仇": "求", "单": "善", "單": "善", "解": "谢", "翟": "宅", "查": "扎", "朴": "瓢", "缪": "妙", "繆": "妙",
    ]

    private func key(_ text: String, by collator: OpaquePointer?, after mark: UInt8) -> [UInt8] {
        units.removeAll(keepingCapacity: true)
        units.append(contentsOf: text.utf16)
        var count = length(by: collator)
        if count > buffer.count {
            buffer = [UInt8](repeating: 0, count: count)
            count = length(by: collator)
        }
        // With its last zero, so that no key is a prefix of another.
        return [mark] + buffer[..<count]
    }

    private func length(by collator: OpaquePointer?) -> Int {
        Int(swift_ucol_getSortKey(collator, units, Int32(units.count), &buffer, Int32(buffer.count)))
    }

    private static func open(_ identifier: String) -> OpaquePointer? {
        var status = U_ZERO_ERROR
        let collator = swift_ucol_open(identifier, &status)
        // As everywhere else, marks count also where a language's own rules skip them (Thai).
        swift_ucol_setAttribute(collator, UCOL_ALTERNATE_HANDLING, UCOL_NON_IGNORABLE, &status)
        swift_ucol_setAttribute(collator, UCOL_NORMALIZATION_MODE, UCOL_ON, &status)
        // Room 2 before Room 10.
        swift_ucol_setAttribute(collator, UCOL_NUMERIC_COLLATION, UCOL_ON, &status)
        return collator
    }

    private static func isHan(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first else { return false }
        return first.value == 0x3007 || Character(first).isHan
    }
}

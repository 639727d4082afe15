/// A style of the file, `[styles.NAME]`, as written there. Colours are parsed later by the image code.
package struct NamedStyle: Equatable, Sendable {
    package enum Field: String, CaseIterable, Sendable {
        case size, scale, state
        case ringWidth = "ring-width"
        case ringGap = "ring-gap"
        case ringColor = "ring-color"
        case background

        /// Lengths are whole points here.
        var kind: SettingKey.Kind {
            switch self {
            case .size: .number(1...1_024)
            case .scale: .number(1...3)
            case .ringWidth, .ringGap: .number(0...512)
            case .state: .choice(["normal", "selected"])
            case .ringColor, .background: .text
            }
        }
    }

    package internal(set) var entries: [Field: Settings.Entry] = [:]

    package func number(_ field: Field) -> Int? {
        if case .number(let number) = entries[field]?.value { number } else { nil }
    }

    package func text(_ field: Field) -> String? {
        if case .text(let text) = entries[field]?.value { text } else { nil }
    }

    /// Lower-case letters, digits and hyphens, so that it needs no escape in a URL.
    static func isName(_ text: String) -> Bool {
        1...64 ~= text.utf8.count
            && text.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2D }
    }
}

private import Foundation

/// Sorts contacts by a name. Contacts without that name come last, and equal names stay in the book's order, in both
/// directions.
///
/// Names are compared by the Unicode Collation Algorithm with the CLDR rules of a locale, all levels (ICU, through
/// Foundation): accents matter only between equal letters, letter case only between equal accents, and scripts come in
/// the locale's order. Locales other than Chinese, Japanese and Korean order Han characters only by their code points;
/// there, names that begin with one come after all others, by the Chinese rules (pinyin).
package struct ContactSort: Hashable, Sendable {
    package enum Name: String, Hashable, Sendable, CaseIterable {
        case given, family
    }

    package var name: Name
    /// From Z to A.
    package var isDescending: Bool
    /// Such as `sv_SE`; empty for the root rules.
    package var locale: String

    package init(_ name: Name, isDescending: Bool = false, locale: String = "") {
        (self.name, self.isDescending, self.locale) = (name, isDescending, locale)
    }

    /// Reads `family`, `family-desc`, `given-asc`...; nil for other words.
    package init?(_ text: String, locale: String = "") {
        let words = text.lowercased().split(separator: "-", omittingEmptySubsequences: false)
        guard let first = words.first, let name = Name(rawValue: String(first)), words.count <= 2,
            words.count == 1 || ["asc", "desc"].contains(words[1])
        else { return nil }
        self.init(name, isDescending: words.last == "desc", locale: locale)
    }

    /// The locale of the environment (POSIX.1-2017 8.2), such as `sv_SE` for `LC_ALL=sv_SE.UTF-8`.
    package static func locale(ofEnvironment environment: [String: String]) -> String {
        let values = ["LC_ALL", "LC_COLLATE", "LANG"].compactMap { environment[$0] }
        let name = String(values.first { !$0.isEmpty }?.prefix { $0 != "." && $0 != "@" } ?? "")
        return ["C", "POSIX"].contains(name) ? "" : name
    }

    package func sorted(_ contacts: [Contact]) -> [Contact] { order(of: contacts).map { contacts[$0] } }

    /// The contacts' positions in their new order.
    package func order(of contacts: [Contact]) -> [Int] { order(of: contacts.map(\.name)) }

    /// The same for names alone.
    package func order(of names: [ContactName]) -> [Int] {
        let names = names.map { (name == .given ? $0.given : $0.family).trimmed }
        let ranks = ranks(of: Set(names))
        return names.indices.sorted { one, other in
            let (first, second) = (ranks[names[one]], ranks[names[other]])
            guard let first, let second, first != second else {
                return first == second ? one < other : first != nil
            }
            return isDescending ? first > second : first < second
        }
    }

    /// Each distinct name is compared once, however many contacts have it. The empty one has no rank.
    private func ranks(of names: Set<String>) -> [String: Int] {
        let collation = Collation(locale)
        // Unequal strings may be equal by the rules; then their characters decide, so that the order is deterministic.
        let sorted = names.filter { !$0.isEmpty }.map { Key($0, collation) }.sorted { one, other in
            switch collation.compare(one, other) {
            case .orderedAscending: true
            case .orderedDescending: false
            case .orderedSame: one.text < other.text
            }
        }
        var ranks: [String: Int] = [:]
        var rank = 0
        for (index, key) in sorted.enumerated() {
            if index > 0, collation.compare(sorted[index - 1], key) != .orderedSame { rank += 1 }
            ranks[key.text] = rank
        }
        return ranks
    }

    private struct Key {
        let text: String
        let isHan: Bool

        init(_ text: String, _ collation: Collation) {
            self.text = text
            isHan = collation.setsHanApart && Self.startsWithHan(text)
        }

        private static func startsWithHan(_ text: String) -> Bool {
            guard let value = text.unicodeScalars.first?.value else { return false }
            return (0x3400...0x9FFF).contains(value) || (0xF900...0xFAFF).contains(value)
                || (0x20000...0x323AF).contains(value) || value == 0x3007
        }
    }

    private struct Collation {
        let locale: Locale
        let han = Locale(identifier: "zh_CN")
        let setsHanApart: Bool

        init(_ identifier: String) {
            locale = Locale(identifier: identifier)
            let language = identifier.prefix { $0.isLetter }.lowercased()
            setsHanApart = !["zh", "yue", "ja", "ko"].contains(language)
        }

        func compare(_ one: Key, _ other: Key) -> ComparisonResult {
            guard one.isHan == other.isHan else { return one.isHan ? .orderedDescending : .orderedAscending }
            return one.text.compare(other.text, options: [], range: nil, locale: one.isHan ? han : locale)
        }
    }
}

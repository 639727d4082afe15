/// Dates of birth.
enum CalendarDate {
    /// ISO 8601 with hyphens, for the notations of vCards (RFC 6350 4.3.1) and tables: `1996-04-15`, `--04-15` without a
    /// year, `1996-04`, `1996`. Without the time of day. Other text, such as `circa 1800`, is returned unchanged.
    static func text(_ text: String) -> String {
        let text = text.trimmed
        let date = text.prefix { $0 != "T" && $0 != "t" && $0 != " " }
        // Behind the date, only a time of day may be left out: `1996 in spring` is text.
        guard text.dropFirst(date.count + 1).first.map({ ("0"..."9").contains($0) }) ?? true else { return text }
        let isYearless = date.hasPrefix("--")
        let digits = date.filter { $0 != "-" }
        let isDate = !digits.isEmpty && date.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }
        guard isDate, isYearless || !date.hasPrefix("-") else { return text }
        switch digits.count {
        case 8:
            return written(year: digits.prefix(4), month: digits.dropFirst(4).prefix(2), day: digits.suffix(2)) ?? text
        // `--0415`, `199604` is none: that is a time (RFC 6350 4.3.1), but older programs wrote it.
        case 4 where isYearless: return written(year: "", month: digits.prefix(2), day: digits.suffix(2)) ?? text
        case 6 where date.count == 7: return isMonth(digits.suffix(2)) ? String(date) : text
        case 4: return String(date)
        default: return text
        }
    }

    /// Nil for an impossible date.
    private static func written(year: Substring, month: Substring, day: Substring) -> String? {
        guard isMonth(month), let number = Int(day), 1...31 ~= number else { return nil }
        // Apple's Contacts writes this year for a date without one.
        return year.isEmpty || year == "1604" ? "--\(month)-\(day)" : "\(year)-\(month)-\(day)"
    }

    private static func isMonth(_ month: Substring) -> Bool { Int(month).map { 1...12 ~= $0 } ?? false }
}

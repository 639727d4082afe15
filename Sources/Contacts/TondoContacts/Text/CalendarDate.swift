private import FoundationEssentials

/// Dates of birth, and days that come each year.
enum CalendarDate {
    /// ISO 8601 with hyphens, for the notations of vCards (RFC 6350 4.3.1) and tables: `1996-04-15`, `--04-15` without a
    /// year, `1996-04`, `1996`. Without the time of day. Nil for zeros and the days that mean no date to Outlook and .NET. Other
    /// text, such as `circa 1800`, and dates whose month could be the day, are returned unchanged. `isDayFirst`: the order
    /// of these, if it is known. Months may be named in many languages, see `DateWords`.
    static func text(_ text: String, isDayFirst: Bool?) -> String? {
        let text = text.trimmed
        if let date = ordinary(text) { return date }
        if text.utf8.contains(UInt8(ascii: "0")), text.allSatisfy({ "0./-:TZ ".contains($0) }) { return nil }
        // What JavaScript makes of no date.
        if text.hasPrefix("NaN") || text == "Invalid Date" { return nil }
        let plain = plain(text)
        let numeric = generalized(plain) ?? standard(plain) ?? national(plain, isDayFirst: isDayFirst)
        let date = numeric ?? worded(plain) ?? text
        return ["0001-01-01", "4501-01-01"].contains(date) ? nil : date
    }

    /// `1996-04-15` and `19960415`, as most are, in years that are none of another calendar and stand for no other. Nil for other text.
    private static func ordinary(_ text: String) -> String? {
        var (number, count) = (0, 0)
        for (place, byte) in text.utf8.enumerated() {
            if byte == UInt8(ascii: "-"), place == 4 || place == 7 { continue }
            guard 0x30...0x39 ~= byte, count < 8 else { return nil }
            number = number * 10 + Int(byte & 15)
            count += 1
        }
        let isSeparated = text.utf8.count == 10
        guard count == 8, isSeparated || text.utf8.count == 8, 1605..<2400 ~= number / 10_000,
            1...12 ~= number / 100 % 100, 1...31 ~= number % 100
        else { return nil }
        return isSeparated ? text : "\(text.prefix(4))-\(text.dropFirst(4).prefix(2))-\(text.suffix(2))"
    }

    static func text(_ text: String) -> String? { Self.text(text, isDayFirst: nil) }

    /// Folded, with the digits of ASCII in place of those of other scripts, and without marks of the writing direction.
    private static func plain(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        let scalars = ContactSearch.folded(text).unicodeScalars.compactMap { scalar in
            scalar.properties.generalCategory == .format
                ? nil : SearchFold.digit(of: scalar).map { Unicode.Scalar(0x30 + $0) } ?? scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// A time in digits alone: `19960415220000`, and as directories have it, `199604152200Z` (RFC 4517 3.3.13).
    private static func generalized(_ text: String) -> String? {
        let digits = text.prefix { ("0"..."9").contains($0) }
        guard digits.count == 14 || [8, 10, 12].contains(digits.count) && text.hasSuffix("Z") else { return nil }
        guard text.dropFirst(digits.count).allSatisfy({ "0123456789.,+-Z".contains($0) }) else { return nil }
        return standard(String(digits.prefix(8)))
    }

    /// The day by its number in a spreadsheet: `31182` is 1985-05-15. Nil for other text, and for days before 1927.
    static func day(ofSpreadsheet text: String) -> String? {
        let number = text.hasSuffix(".0") ? text.dropLast(2) : text[...]
        guard number.utf8.count == 5, let days = Int(number), days >= 10_000 else { return nil }
        let day = Date(timeIntervalSince1970: Double(days - 25_569) * 86_400)
        return day.formatted(.iso8601.year().month().day())
    }

    private static func standard(_ text: String) -> String? {
        let date = text.prefix { $0 != "T" && $0 != "t" && $0 != " " }
        // Behind the date, only a time of day may be left out: `1996 in spring` is text.
        guard text.dropFirst(date.count + 1).first.map({ ("0"..."9").contains($0) }) ?? true else { return nil }
        let isYearless = date.hasPrefix("--")
        let parts = date.split(separator: "-")
        if isYearless, parts.count == 2 { return written(year: "", month: parts[0], day: parts[1]) }
        let digits = date.filter { $0 != "-" }
        let isDate = !digits.isEmpty && date.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }
        guard isDate, isYearless || !date.hasPrefix("-") else { return nil }
        switch digits.count {
        // A year that comes last has two digits behind the first hyphen: `31-12-1990`.
        case 8 where date.dropFirst(2).first != "-":
            let (year, month, day) = (digits.prefix(4), digits.dropFirst(4).prefix(2), digits.suffix(2))
            // Some programs write zeros for what is not known.
            if day == "00", year != "0000" {
                return month == "00" ? "\(year)" : isMonth(month) ? "\(year)-\(month)" : nil
            }
            return written(year: year[...], month: month[...], day: day[...])
        // `--0415`, `199604` is none: that is a time (RFC 6350 4.3.1), but older programs wrote it.
        case 4 where isYearless: return written(year: "", month: digits.prefix(2), day: digits.suffix(2))
        case 6 where date == text && date.count == 7: return isMonth(digits.suffix(2)) ? String(date) : nil
        case 4 where date == text: return String(date)
        default: return nil
        }
    }

    /// Numbers in the notations of countries and programs: `15.4.1996`, `4/15/1996`, `4/15`, `4/15/96`, `1996年4月15日`.
    private static func national(_ text: String, isDayFirst: Bool?) -> String? {
        let words = text.split { !$0.isLetter && !$0.isNumber || "年月日년월일".contains($0) }
        // Only a time of day may follow.
        guard words.count >= 2, words.dropFirst(3).allSatisfy({ $0.count <= 2 && text.contains(":") }) else {
            return nil
        }
        let (first, second, third) = (words[0], words[1], words.dropFirst(2).first ?? "")
        if first.count == 4 { return written(year: first, month: second, day: third) }
        guard let one = Int(first), let other = Int(second),
            third.count == 4 || text.contains(where: { "./".contains($0) }) || third.count == 2 && text.contains("-")
        else { return nil }
        if one > 31, third.count <= 2 { return written(year: first, month: second, day: third) }
        // Full stops stand behind days only where these come first.
        let isSurelyDay = one > 12 || one == other || text.dropFirst(first.count).first == "."
        guard let isDay = isSurelyDay ? true : other > 12 ? false : isDayFirst else { return nil }
        return isDay ? written(year: third, month: second, day: first) : written(year: third, month: first, day: second)
    }

    /// With the name of the month in some language, or with the year of an era. A time of day and its zone may stand anywhere, as in
    /// `Tue Dec 03 00:00:00 GMT 1985`.
    private static func worded(_ text: String) -> String? {
        let hasTime = text.contains(":")
        let words = text.split(separator: " ").filter { word in
            let isZone = word.contains(":") || "+-(".contains(word[word.startIndex]) || word.hasPrefix("GMT")
            let isCapital = word.count <= 5 && word.allSatisfy(\.isUppercase) && DateWords.month(word) == nil
            return !hasTime || !isZone && !isCapital
        }
        guard let parts = DateWords.parts(of: words.joined(separator: " ")) else { return nil }
        let date = written(year: parts.year, month: parts.month, day: parts.day.isEmpty ? "1" : parts.day)
        return parts.day.isEmpty ? date.map { String($0.dropLast(3)) } : date
    }

    /// Whether the label of a date says that it comes each year, in some languages.
    static func isAnniversary(_ label: String) -> Bool { anniversaries.contains(label.lowercased().trimmed) }

    private static let anniversaries = Set(
        "anniversary,wedding anniversary,hochzeitstag,jahrestag,anniversaire de mariage,aniversario,anniversario,trouwdag,bröllopsdag,bryllupsdag,rocznica,výročí,годовщина,結婚記念日,纪念日"
            .split(separator: ",").map(String.init))

    /// Whether one writer's dates have the day before the month, as those show in which it cannot be mistaken. Nil if there is
    /// none of these, or some of both.
    static func isDayFirst(in texts: some Sequence<String>) -> Bool? {
        var (isDay, isMonth) = (false, false)
        for text in texts {
            let numbers = plain(text).split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
            guard numbers.count == 2, numbers.contains(where: { 1...12 ~= $0 }) else { continue }
            if 13...31 ~= numbers[0] { isDay = true }
            if 13...31 ~= numbers[1] { isMonth = true }
        }
        return isDay == isMonth ? nil : isDay
    }

    /// Nil for an impossible date.
    private static func written(year: Substring, month: Substring, day: Substring) -> String? {
        guard let year = fullYear(year), isMonth(month), let number = Int(day), 1...31 ~= number else { return nil }
        let digits = [month, day].map { $0.count == 1 ? "0\($0)" : "\($0)" }.joined(separator: "-")
        // Apple's Contacts writes 1604 for a date without a year, and others write zeros.
        return ["", "1604", "0000"].contains(year) ? "--" + digits : "\(year)-\(digits)"
    }

    /// Two digits are a year between 1930 and 2029, as in spreadsheets; years of Buddha are 543 ahead.
    private static func fullYear(_ year: Substring) -> String? {
        guard year.count == 4 || year.count == 2, let number = Int(year) else { return year.isEmpty ? "" : nil }
        if year.count == 2 { return "\(number < 30 ? 2000 + number : 1900 + number)" }
        return 2400...2600 ~= number ? "\(number - 543)" : String(year)
    }

    private static func isMonth(_ month: Substring) -> Bool { Int(month).map { 1...12 ~= $0 } ?? false }
}

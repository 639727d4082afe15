/// A time as directories write it, in UTC (RFC 4517 section 3.3.13): `20261124183427Z`, `20261124183427.0Z`.
struct GeneralizedTime: Comparable {
    /// Seconds since 1970.
    let seconds: Int

    init(seconds: Int) { self.seconds = seconds }

    /// Nil for times of other zones, and for what is none.
    init?(_ text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard digits.utf8.count == 14, text.hasSuffix("Z"),
            text[digits.endIndex...].dropLast().allSatisfy({ $0 == "." || $0.isASCII && $0.isNumber })
        else { return nil }
        let number = Array(digits.utf8.map { Int($0) - 48 })
        func value(_ start: Int) -> Int { 10 * number[start] + number[start + 1] }
        let (year, month, day) = (100 * value(0) + value(2), value(4), value(6))
        guard 1...12 ~= month, 1...31 ~= day, value(8) < 24, value(10) < 60, value(12) < 61 else { return nil }
        seconds = 86_400 * Self.days(year: year, month: month, day: day) + 3_600 * value(8) + 60 * value(10) + value(12)
    }

    static func < (one: Self, other: Self) -> Bool { one.seconds < other.seconds }

    /// Since 1970, in the proleptic Gregorian calendar; years start in March.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let years = month > 2 ? year : year - 1
        let months = (month + 9) % 12
        return 365 * years + years / 4 - years / 100 + years / 400 + (153 * months + 2) / 5 + day - 1 - 719_468
    }

    /// `fraction`: Active Directory demands one.
    func text(fraction: Bool) -> String {
        let days = seconds / 86_400 + 719_468
        var years = (400 * days + 591) / 146_097
        var rest = days - (365 * years + years / 4 - years / 100 + years / 400)
        if rest < 0 {
            years -= 1
            rest = days - (365 * years + years / 4 - years / 100 + years / 400)
        }
        let months = (5 * rest + 2) / 153
        let month = months < 10 ? months + 3 : months - 9
        let parts = [month, rest - (153 * months + 2) / 5 + 1, seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60]
        let year = month > 2 ? years : years + 1
        return "\(year)" + parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined() + (fraction ? ".0Z" : "Z")
    }
}

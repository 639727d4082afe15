internal import Glibc

/// The `getctag` of a collection (an extension of calendarserver.org), which changes whenever something in the collection does.
///
/// Some servers, such as SOGo, take the time of the last change, in seconds. Two changes within one second have one tag then, so a tag that
/// may be such a time is relied on only when it is old.
struct CollectionTag {
    private let text: String

    /// A day: clocks of servers are wrong, and dates are written in all time zones.
    private static let day = 86_400

    /// Nil: the server has none.
    init?(_ text: String?) {
        guard let text, !text.isEmpty else { return nil }
        self.text = text
    }

    /// Nil: it may stay the same although something changes. `now`: seconds since 1970.
    func reliable(at now: Int) -> String? { hasTime(near: now) || hasDate(near: now) ? nil : text }

    /// Seconds, milliseconds, microseconds or nanoseconds since 1970.
    private func hasTime(near now: Int) -> Bool {
        text.split { !$0.isASCII || !$0.isNumber }.contains { digits in
            guard digits.count >= 10, let number = Int(digits) else { return false }
            return [1, 1_000, 1_000_000, 1_000_000_000].contains { abs(number / $0 - now) <= Self.day }
        }
    }

    /// The formats of RFC 3339, RFC 9110 and vCards.
    private func hasDate(near now: Int) -> Bool {
        [now - Self.day, now, now + Self.day].contains { time in
            ["%Y-%m-%d", "%Y%m%d", "%d %b %Y"].contains { text.contains(Self.date(from: time, format: $0)) }
        }
    }

    private static func date(from time: Int, format: String) -> String {
        var (seconds, parts, text) = (time_t(time), tm(), [CChar](repeating: 0, count: 32))
        gmtime_r(&seconds, &parts)
        let length = strftime(&text, text.count, format, &parts)
        return String(decoding: text[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

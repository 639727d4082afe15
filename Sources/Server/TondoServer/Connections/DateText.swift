internal import Glibc

/// Dates in HTTP (RFC 9110 5.6.7).
enum DateText {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// `Sun, 06 Nov 1994 08:49:37 GMT` for seconds since 1970.
    static func text(_ seconds: Int) -> String {
        var (time, parts) = (time_t(seconds), tm())
        gmtime_r(&time, &parts)
        func two(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let clock = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        let month = months[Int(parts.tm_mon)]
        return "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(month) \(1900 + parts.tm_year) \(clock) GMT"
    }

    static var seconds: Int { time(nil) }
}

/// The current date, formatted again only when the second changes. For one thread.
struct CurrentDate {
    private var seconds = Int.min
    private var spelled = ""

    mutating func text(at now: Int = DateText.seconds) -> String {
        if now != seconds {
            seconds = now
            spelled = DateText.text(now)
        }
        return spelled
    }
}

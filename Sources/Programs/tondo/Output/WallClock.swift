import FoundationEssentials
import Glibc

/// Local time: of the machine's time zone, or of one with a fixed offset from UTC.
enum WallClock: Sendable {
    case local
    case fixed(seconds: Int)

    /// A date and a time without a zone.
    struct Reading: Equatable, Sendable {
        var year: Int
        var month: Int
        var day: Int
        var hour = 0
        var minute = 0
        var second = 0

        /// Whether the date exists in the Gregorian calendar, years 1970...9999, and the time in a day.
        var isPossible: Bool {
            guard (1970...9999).contains(year), (1...12).contains(month) else { return false }
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
            return (1...days).contains(day) && (0...23).contains(hour) && (0...59).contains(minute)
                && (0...59).contains(second)
        }
    }

    func reading(_ date: Date) -> Reading {
        var time = time_t(Self.seconds(date))
        var fields = tm()
        switch self {
        case .local: localtime_r(&time, &fields)
        case .fixed(let seconds):
            time += seconds
            gmtime_r(&time, &fields)
        }
        return Reading(
            year: Int(fields.tm_year) + 1900, month: Int(fields.tm_mon) + 1, day: Int(fields.tm_mday),
            hour: Int(fields.tm_hour), minute: Int(fields.tm_min), second: Int(fields.tm_sec))
    }

    /// `reading`: a possible one. A time that daylight saving skips is counted on from before the gap.
    func date(_ reading: Reading) -> Date {
        var fields = tm()
        fields.tm_year = Int32(reading.year - 1900)
        fields.tm_mon = Int32(reading.month - 1)
        fields.tm_mday = Int32(reading.day)
        fields.tm_hour = Int32(reading.hour)
        fields.tm_min = Int32(reading.minute)
        fields.tm_sec = Int32(reading.second)
        // The C library decides whether daylight saving applies.
        fields.tm_isdst = -1
        return switch self {
        case .local: Date(timeIntervalSince1970: Double(mktime(&fields)))
        case .fixed(let seconds): Date(timeIntervalSince1970: Double(timegm(&fields) - seconds))
        }
    }

    /// `2026-11-21 14:03:12`.
    func text(_ date: Date) -> String {
        let reading = reading(date)
        func two(_ n: Int) -> String { n < 10 ? "0\(n)" : "\(n)" }
        let day = "\(reading.year)-\(two(reading.month))-\(two(reading.day))"
        return "\(day) \(two(reading.hour)):\(two(reading.minute)):\(two(reading.second))"
    }

    /// Whole seconds since 1970, limited to the range of the calendar functions.
    private static func seconds(_ date: Date) -> Int {
        let seconds = date.timeIntervalSince1970
        return seconds.isFinite ? Int(min(max(seconds.rounded(.down), -2_000_000_000), 250_000_000_000)) : 0
    }
}

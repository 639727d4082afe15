import ArgumentParser
import FoundationEssentials

/// A moment in the past: an age as in `Age`, or a local date, `2026-11-20`, optionally with a time: `2026-11-20T14:00`,
/// `2026-11-20 14:00:30`.
struct Since: ExpressibleByArgument, Equatable, Sendable {
    private enum Moment: Equatable {
        case age(Age)
        case reading(WallClock.Reading)
    }

    private let moment: Moment

    init?(argument: String) {
        if let age = Age(argument: argument) {
            moment = .age(age)
        } else if let reading = WallClock.Reading(argument) {
            moment = .reading(reading)
        } else {
            return nil
        }
    }

    /// An age is counted back from `now`; a date without a time is the start of that day on `clock`.
    func date(now: Date, clock: WallClock = .local) -> Date {
        switch moment {
        case .age(let age): now.addingTimeInterval(-Double(age.seconds))
        case .reading(let reading): clock.date(reading)
        }
    }
}

extension WallClock.Reading {
    /// Every number has all its digits: 4 for the year, 2 for the others.
    fileprivate init?(_ text: String) {
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == "t" || $0 == " " }
        guard let day = parts.first, let date = Self.numbers(in: day, separator: "-", digits: [4, 2, 2])
        else { return nil }
        self.init(year: date[0], month: date[1], day: date[2])
        if parts.count == 2 {
            let digits = [2, 2] + (parts[1].count > 5 ? [2] : [])
            guard let time = Self.numbers(in: parts[1], separator: ":", digits: digits) else { return nil }
            hour = time[0]
            minute = time[1]
            second = time.count == 3 ? time[2] : 0
        }
        guard isPossible else { return nil }
    }

    private static func numbers(in text: Substring, separator: Character, digits: [Int]) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.map(\.count) == digits, parts.allSatisfy({ $0.allSatisfy { $0.isNumber && $0.isASCII } })
        else { return nil }
        return parts.compactMap { Int($0) }
    }
}

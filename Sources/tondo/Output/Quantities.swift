/// Numbers with units, for humans.
enum Quantities {
    /// `512 B`, `1.2 MB`: decimal units, at most three digits. Negative numbers are shown as 0.
    static func bytes(_ count: Int) -> String {
        let count = max(count, 0)
        guard count >= 1000 else { return "\(count) B" }
        var thousand = 1000
        for unit in ["kB", "MB", "GB", "TB"] {
            if let number = threeDigits(count, thousand) { return "\(number) \(unit)" }
            thousand *= 1000
        }
        return "\((count / (thousand / 10) + 5) / 10) PB"
    }

    /// A duration: `0.4 ms`, `120 ms`, `1.2 s`, `2 min 5 s`.
    static func milliseconds(_ value: Double) -> String {
        let value = value.isFinite ? min(max(value, 0), 1e15) : 0
        let tenths = Int((value * 10).rounded())
        if tenths < 100 { return "\(tenths / 10).\(tenths % 10) ms" }
        let whole = Int(value.rounded())
        if whole < 1000 { return "\(whole) ms" }
        let tenthsOfSecond = (whole + 50) / 100
        if tenthsOfSecond < 600 { return "\(tenthsOfSecond / 10).\(tenthsOfSecond % 10) s" }
        let seconds = (whole + 500) / 1000
        return "\(count(seconds / 60)) min \(seconds % 60) s"
    }

    /// With separators: `1,000,000`.
    static func count(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var text = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }

    /// `count / unit`, one decimal below 100; nil if it rounds to 1000 or more.
    private static func threeDigits(_ count: Int, _ unit: Int) -> String? {
        let tenths = rounded(count, unit / 10)
        if tenths < 1000 { return "\(tenths / 10).\(tenths % 10)" }
        let whole = rounded(count, unit)
        return whole < 1000 ? "\(whole)" : nil
    }

    private static func rounded(_ number: Int, _ unit: Int) -> Int {
        number / unit + (number % unit >= unit / 2 ? 1 : 0)
    }
}

/// Numbers with units, for humans.
enum Quantities {
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

    /// `1 photo`, `2000 photos`.
    static func plain(_ number: Int, of noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// `1 failure`, `2,000 failures`.
    static func counted(_ number: Int, of noun: String) -> String {
        "\(count(number)) \(noun)\(number == 1 ? "" : "s")"
    }

    /// `1 entry`, `2,000 entries`.
    static func entries(_ number: Int) -> String { "\(count(number)) \(number == 1 ? "entry" : "entries")" }

    /// Two decimals: `1.23`.
    static func seconds(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
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
}

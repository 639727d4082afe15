/// The progress of a task in one line.
struct ProgressLine {
    var done: Int
    var total: Int
    var failed: Int
    /// Since the start.
    var seconds: Double

    /// Shorter than `columns`, since a full line would wrap: the bar shrinks first, then it is dropped.
    func text(columns: Int) -> String {
        let figures = figures
        let width = min(30, columns - figures.count - 4)
        guard width >= 5 else { return String(figures.prefix(max(columns - 1, 0))) }
        let filled = total > 0 ? width * done / total : width
        return "[\(String(repeating: "#", count: filled))\(String(repeating: "-", count: width - filled))] \(figures)"
    }

    private var figures: String {
        let rate = seconds > 0 ? Double(done) / seconds : 0
        let left = rate > 0 ? Double(total - done) / rate : 0
        let text = "\(done)/\(total)  \(Self.rate(rate))/s  ETA \(Self.time(left))"
        return failed > 0 ? text + "  \(failed) failed" : text
    }

    /// One decimal below ten, since large photos are slow.
    private static func rate(_ value: Double) -> String {
        let tenths = Int(min((value * 10).rounded(), 1e9))
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\((tenths + 5) / 10)"
    }

    private static func time(_ seconds: Double) -> String {
        let whole = Int(min(seconds, 359_999).rounded(.up))
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        func two(_ n: Int) -> String { n < 10 ? "0\(n)" : "\(n)" }
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
    }
}

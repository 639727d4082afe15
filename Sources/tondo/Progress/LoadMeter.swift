/// One line on standard error that shows how far a load has come. Used from one thread at a time.
struct LoadMeter {
    /// What was told so far.
    struct Counts: Equatable {
        var total = 0
        var people = 0
        var faces = 0
        var cached = 0
        var drawn = 0
        var failed = 0
        /// People who have all their faces.
        var done = 0
    }

    private let clock: @Sendable () -> ContinuousClock.Instant
    private let start: ContinuousClock.Instant
    private let delay: Duration
    private var lastDrawn: ContinuousClock.Instant?

    /// `delay`: how long after now the first progress is shown.
    init(delay: Duration = .zero, clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        (self.delay, self.clock, start) = (delay, clock, clock())
    }

    /// Ten times a second is as often as anyone can read.
    mutating func update(_ counts: Counts, isLast: Bool = false) {
        let now = clock()
        guard delay == .zero || now - start >= delay else { return }
        if let lastDrawn, now - lastDrawn < .milliseconds(100), !isLast { return }
        lastDrawn = now
        let text = Self.text(counts, seconds: (now - start) / .seconds(1), columns: Terminal.columns)
        Terminal.draw(bar: text)
    }

    func clear() { Terminal.clearBar() }

    /// Shorter than `columns`: what matters least is left out first.
    static func text(_ counts: Counts, seconds: Double, columns: Int) -> String {
        var parts = ["\(counts.people)/\(counts.total) people", "\(counts.faces) faces"]
        if counts.failed > 0 { parts.append("\(counts.failed) failed") }
        parts.append("\(counts.cached) from cache, \(counts.drawn) drawn")
        if seconds > 0 { parts.append("\(Int(Double(counts.faces) / seconds))/s") }
        while parts.count > 1, parts.joined(separator: "  ").count > columns - 1 { parts.removeLast() }
        let figures = parts.joined(separator: "  ")
        let width = min(24, columns - figures.count - 4)
        guard width >= 5 else { return String(figures.prefix(max(columns - 1, 0))) }
        let filled = counts.total > 0 ? min(width * counts.done / counts.total, width) : 0
        return "[\(String(repeating: "#", count: filled))\(String(repeating: "-", count: width - filled))] \(figures)"
    }
}

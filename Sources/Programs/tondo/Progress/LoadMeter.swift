/// The progress of a load in one line on standard error. Used from one thread at a time.
struct LoadMeter {
    /// The events so far.
    struct Counts: Equatable {
        var total = 0
        var people = 0
        var avatars = 0
        var cached = 0
        var drawn = 0
        var failed = 0
        /// Contacts with all of their avatars.
        var done = 0
        /// What the meter shows of a work queue.
        var note: String?
    }

    private let start = ContinuousClock.now
    private let delay: Duration
    private var lastDrawn: ContinuousClock.Instant?

    /// `delay`: the time before progress is first shown.
    init(delay: Duration = .zero) { self.delay = delay }

    /// Ten updates per second are enough for a reader.
    mutating func update(_ counts: Counts, isLast: Bool = false) {
        let now = ContinuousClock.now
        guard delay == .zero || now - start >= delay else { return }
        if let lastDrawn, now - lastDrawn < .milliseconds(100), !isLast { return }
        lastDrawn = now
        let text = Self.text(of: counts, seconds: (now - start) / .seconds(1), columns: Terminal.columns)
        Terminal.draw(bar: text)
    }

    func clear() { Terminal.clearBar() }

    /// Shorter than `columns`: the least important parts are dropped first.
    static func text(of counts: Counts, seconds: Double, columns: Int) -> String {
        var parts = ["\(counts.people)/\(counts.total) contacts", "\(counts.avatars) avatars"]
        if counts.failed > 0 { parts.append("\(counts.failed) failed") }
        parts.append("\(counts.cached) from cache, \(counts.drawn) drawn")
        if let note = counts.note { parts.append(note) }
        if seconds > 0 { parts.append("\(Int(Double(counts.avatars) / seconds))/s") }
        while parts.count > 1, parts.joined(separator: "  ").count > columns - 1 { parts.removeLast() }
        return ProgressLine.bar(
            counts.done, of: counts.total, figures: parts.joined(separator: "  "), longest: 24, columns: columns)
    }
}

/// Shows the progress of a long task on standard error: a line that is redrawn on a terminal, a few plain lines
/// elsewhere. Used from one thread at a time.
struct ProgressMeter {
    enum Style { case bar, lines }

    private let total: Int
    private let style: Style
    private let noun: String
    private let clock: @Sendable () -> ContinuousClock.Instant
    private let start: ContinuousClock.Instant
    private let delay: Duration
    private let write: @Sendable (String) -> Void
    private var lastDrawn: ContinuousClock.Instant?
    private var lastTenth = 0

    /// A run that ends earlier shows no progress.
    static let usualDelay = Duration.seconds(2)

    /// `noun`: the counted items, in the plural. `start`: when the task began, if that was earlier. `delay`: the time
    /// after it before progress is first shown.
    init(
        total: Int, style: Style, noun: String = "photos", start: ContinuousClock.Instant? = nil,
        delay: Duration = .zero,
        clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        write: @escaping @Sendable (String) -> Void = { Terminal.write($0) }
    ) {
        self.total = total
        self.style = style
        self.noun = noun
        self.write = write
        self.start = start ?? clock()
        self.delay = delay
        self.clock = clock
    }

    /// `done` items of the total are finished, `failed` of them with a failure.
    mutating func update(done: Int, failed: Int) {
        guard delay == .zero || clock() - start >= delay else { return }
        switch style {
        case .bar: redraw(done: done, failed: failed)
        case .lines: printTenth(done: done, failed: failed)
        }
    }

    /// Erases the line, so that something else can be printed.
    mutating func clear() {
        guard style == .bar, lastDrawn != nil else { return }
        Terminal.clearBar()
        lastDrawn = nil
    }

    /// Ten updates per second are enough for a reader.
    private mutating func redraw(done: Int, failed: Int) {
        let now = clock()
        // The end is drawn however soon it comes.
        if let lastDrawn, now - lastDrawn < .milliseconds(100), done < total { return }
        lastDrawn = now
        let line = ProgressLine(done: done, total: total, failed: failed, seconds: (now - start) / .seconds(1))
        Terminal.draw(bar: line.text(columns: Terminal.columns))
    }

    private mutating func printTenth(done: Int, failed: Int) {
        let tenth = total >= 20 ? done * 10 / total : 0
        guard tenth > lastTenth, done < total else { return }
        lastTenth = tenth
        write("\(done) of \(total) \(noun)\(failed > 0 ? ", \(failed) failed" : "")\n")
    }
}

/// The progress of a task in one line.
struct ProgressLine {
    var done: Int
    var total: Int
    var failed: Int
    /// Since the start.
    var seconds: Double

    /// Shorter than `columns`, since a full line would wrap: the bar shrinks first, then it is dropped.
    func text(columns: Int) -> String { Self.bar(done, of: total, figures: figures, longest: 30, columns: columns) }

    /// A bar of at most `longest` characters, and figures.
    static func bar(_ done: Int, of total: Int, figures: String, longest: Int, columns: Int) -> String {
        let width = min(longest, columns - figures.count - 4)
        guard width >= 5 else { return String(figures.prefix(max(columns - 1, 0))) }
        let filled = total > 0 ? min(width * done / total, width) : 0
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

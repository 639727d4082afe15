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
        (self.total, self.style, self.noun, self.write) = (total, style, noun, write)
        (self.start, self.delay, self.clock) = (start ?? clock(), delay, clock)
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

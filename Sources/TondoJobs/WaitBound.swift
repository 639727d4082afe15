/// How long those in a line may wait for their turn. Many who come at once, as a page full of faces does, are no
/// overload: they wait until the line is `burst` old. A line that was not empty for so long bounds everybody's wait.
package struct WaitBound: Equatable, Sendable {
    /// Nanoseconds, of somebody in a line of any age.
    let longest: UInt64
    /// Nanoseconds of a line's age.
    let burst: UInt64

    package init(longest: Duration, burst: Duration = .zero) {
        self.init(longest: longest.inNanoseconds, burst: burst.inNanoseconds)
    }

    init(longest: UInt64, burst: UInt64) { (self.longest, self.burst) = (longest, burst) }

    /// So many may wait however slow they are.
    package static func few(workers: Int) -> Int { 4 * workers }

    /// Until when somebody waits who entered at that time.
    package func end(entered: UInt64, _ line: LineAge) -> UInt64 {
        max(entered.later(by: longest), line.began.later(by: burst))
    }
}

/// For how long somebody has been in a line. A line that is empty grows younger as fast as it grew older, and counts as
/// no older than a burst: a moment of rest between two crowds is not worth another burst. Nanoseconds of a clock that
/// never goes back.
package struct LineAge: Sendable {
    /// As if somebody had been in it since then.
    private(set) var began: UInt64 = 0
    private var left: UInt64 = 0

    package init() {}

    /// Somebody enters a line that was empty.
    package mutating func enter(_ bound: WaitBound?, now: UInt64) { self = ifEntered(bound, now: now) }

    /// What `enter` makes of it.
    func ifEntered(_ bound: WaitBound?, now: UInt64) -> LineAge {
        let (age, rest) = (min(left - began, bound?.burst ?? 0), now > left ? now - left : 0)
        var entered = self
        entered.began = now - (age - min(age, rest))
        entered.left = max(now, left)
        return entered
    }

    /// Somebody leaves the line.
    package mutating func leave(now: UInt64) { left = max(now, left) }
}

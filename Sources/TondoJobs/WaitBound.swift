/// How long those in a line may wait for their turn. Many who come at once, as a page full of faces does, are no
/// overload: they are waited with until the line is `burst` old. A line that was not empty for so long gets more than
/// can be done, and bounds everybody's wait.
package struct WaitBound: Equatable, Sendable {
    /// Nanoseconds, of somebody in a line of any age.
    let longest: UInt64
    /// Nanoseconds since the line was empty.
    let burst: UInt64

    package init(longest: Duration, burst: Duration = .zero) {
        self.init(longest: longest.inNanoseconds, burst: burst.inNanoseconds)
    }

    init(longest: UInt64, burst: UInt64) { (self.longest, self.burst) = (longest, burst) }

    /// So many may wait however slow they are.
    package static func few(workers: Int) -> Int { 8 * workers }

    /// Until when somebody waits who entered a line that somebody has been in since `began`.
    package func end(entered: UInt64, began: UInt64) -> UInt64 {
        max(Self.sum(entered, longest), Self.sum(began, burst))
    }

    private static func sum(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (sum, isOver) = left.addingReportingOverflow(right)
        return isOver ? .max : sum
    }
}

/// The priority of a job, the most urgent first.
package enum JobPriority: Int, CaseIterable, Sendable {
    /// The result is on the screen.
    case visible
    /// The result is likely to be needed next.
    case near
    /// The result is needed at some time.
    case background
    /// To be done when there is nothing else to do.
    case idle

    /// False for equal priorities. A smaller raw value is more urgent, so `<` would read the wrong way.
    package func isMoreUrgent(than other: JobPriority) -> Bool { rawValue < other.rawValue }
}

/// How soon a job is wanted, the most urgent first.
package enum JobPriority: Int, CaseIterable, Sendable {
    /// Somebody looks at the place where it will appear.
    case visible
    /// Likely to be looked at next.
    case near
    /// Wanted, by nobody in particular.
    case background
    /// When there is nothing else to do.
    case idle

    package func isMoreUrgent(than other: JobPriority) -> Bool { rawValue < other.rawValue }
}

/// The steps of drawing one avatar, for measurements.
package enum DrawingStep: String, Sendable, CaseIterable {
    /// Reading the header and decoding the needed part.
    case decode
    /// Resampling, orienting, and the colour profile.
    case resample
    /// Circle and ring.
    case compose
    /// Encoding the avatar as PNG or WebP.
    case encode
    /// Storing in the cache, or the attempt.
    case store
}

/// Receives the durations of steps. May be called on any thread.
package typealias StepTimer = @Sendable (DrawingStep, Duration) -> Void

/// Reports the duration of `body`, whether it throws or not.
@inline(__always)
package func timed<Value, Failure>(
    _ step: DrawingStep, by timer: StepTimer?, body: () throws(Failure) -> Value
) throws(Failure) -> Value {
    guard let timer else { return try body() }
    let start = ContinuousClock.now
    defer { timer(step, ContinuousClock.now - start) }
    return try body()
}

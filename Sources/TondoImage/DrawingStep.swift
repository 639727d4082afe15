/// The parts of making one picture, for those who measure them.
package enum DrawingStep: String, Sendable, CaseIterable {
    /// Reading the header and decoding what is needed.
    case decode
    /// Resampling, turning, and the colour profile.
    case resample
    /// Circle and ring.
    case compose
    /// Writing the PNG.
    case encode
    /// Into the cache, or the attempt.
    case store
}

/// Is told how long steps took. May come on any thread.
package typealias StepTimer = @Sendable (DrawingStep, Duration) -> Void

/// Tells how long `body` took, whether it throws or not.
@inline(__always)
package func timed<Value, Failure>(
    _ step: DrawingStep, _ timer: StepTimer?, _ body: () throws(Failure) -> Value
) throws(Failure) -> Value {
    guard let timer else { return try body() }
    let start = ContinuousClock.now
    defer { timer(step, ContinuousClock.now - start) }
    return try body()
}

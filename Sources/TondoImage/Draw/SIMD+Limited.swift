extension SIMD4<Float> {
    /// Each lane clamped to 0...its limit. The standard library's `clamped` is a call per lane; comparing and replacing
    /// stays in vector registers.
    @inline(__always)
    func limited(to limit: SIMD4<Float>) -> SIMD4<Float> {
        let floored = replacing(with: 0, where: self .< 0)
        return floored.replacing(with: limit, where: floored .> limit)
    }
}

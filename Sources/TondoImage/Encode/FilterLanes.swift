/// Sixteen neighbouring bytes of a row at once.
typealias FilterLanes = SIMD16<UInt8>

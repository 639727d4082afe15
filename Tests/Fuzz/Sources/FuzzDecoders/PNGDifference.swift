internal import FuzzSupport

@testable import TondoImage

/// PNGs with the fast path, where it takes them, against libpng alone: the same pixels, profile and warnings, or the same error.
struct PNGDifference {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func check() {
        Fuzzing.require(PNGOutcome.tondo(bytes) == PNGOutcome.libpng(bytes), "libpng reads another picture")
    }
}

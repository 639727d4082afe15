private import CReference
private import FuzzSupport
private import Glibc

@testable import TondoImage

// Tondo's own decoders against libjpeg and libpng: what they read of a file is what the libraries read, and what they do not read is
// left to the libraries. Nothing is drawn, and no memory is checked, so that thousands of inputs are compared a second; the
// targets jpeg and png do both.

/// Pixels of the largest picture: mutations make up sizes.
private let most = 40_000

exit(
    Fuzzing.run { bytes, count in
        let bytes = [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
        guard let header = try? bytes.withUnsafeBytes({ try ImageHeader(probing: $0) }),
            header.width <= most, header.height <= most, header.width * header.height <= most
        else { return 0 }
        if header.format == .jpeg { JPEGDifference(bytes).check() }
        if header.format == .png {
            PNGDifference(bytes).check()
            if let repaired = bytes.withUnsafeBytes({ repairedPNG($0) }) { PNGDifference(repaired).check() }
        }
        return 0
    })

internal import CReference
internal import FuzzSupport

@testable import TondoImage

/// PNGs with the fast path, where it takes them, against libpng alone: the same pixels, profile and warnings, or the same error.
struct PNGDifference {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func check() {
        let (own, library) = (PNGOutcome.tondo(bytes), PNGOutcome.libpng(bytes))
        Fuzzing.require(
            own == library || isLeniency(own, library),
            "libpng reads another picture: \(library), Tondo \(own)".suffix(2000))
    }

    /// libdeflate reads two symbols that deflate reserves as the longest match, where zlib stops. The checksum of the pixels still
    /// has to be right.
    private func isLeniency(_ own: PNGOutcome, _ library: PNGOutcome) -> Bool {
        guard case .draws = own, case .fails = library else { return false }
        return bytes.withUnsafeBytes { bytes in
            guard let header = try? ImageHeader(probing: bytes), let plain = try? PlainPNG.bytes(bytes, header: header)
            else { return false }
            return plain.withUnsafeBytes { plain in
                PNGImageData(bytes: plain, limit: .max)?.withJoined {
                    reference_inflates($0.baseAddress, $0.count) == 0
                } ?? false
            }
        }
    }
}

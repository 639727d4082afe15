/// The scans of a multi-scan JPEG, found by their markers without decoding (ITU-T T.81 section B.2.3).
struct JPEGScans {
    struct Scan: Equatable {
        /// From the SOS marker to the end of its entropy-coded data.
        var range: Range<Int>
        /// Indices of its components in the frame header.
        var components: [Int]
        /// Zigzag positions it carries.
        var band: ClosedRange<Int>
    }

    private(set) var scans: [Scan] = []
    /// The end of the picture: after its EOI marker, or at the last byte.
    private(set) var end: Int
    private let bytes: UnsafeRawBufferPointer

    /// Throws `tooManyScans` as soon as there are more than `limits.maxScans`.
    init(bytes: UnsafeRawBufferPointer, header: ImageHeader, limits: Limits) throws(ImageError) {
        self.bytes = bytes
        end = bytes.count
        var position = 2
        while let marker = nextMarker(from: &position) {
            if marker == 0xD9 {
                end = position
                return
            }
            if marker == 0x01 || (0xD0...0xD8).contains(marker) { continue }
            guard position + 2 <= bytes.count else { return }
            // A damaged length must not stop the walk.
            let segment = position..<min(position + max(length(at: position), 2), bytes.count)
            position = segment.upperBound
            guard marker == 0xDA else { continue }
            position = endOfEntropyData(from: position)
            if let scan = scan(segment, upTo: position, header: header) { scans.append(scan) }
            guard scans.count <= limits.maxScans else { throw .tooManyScans }
        }
    }

    private func length(at offset: Int) -> Int { Int(bytes[offset]) << 8 | Int(bytes[offset + 1]) }

    /// The code after the next 0xFF that is followed by neither 0 nor 0xFF; moves `position` behind it.
    private func nextMarker(from position: inout Int) -> Int? {
        while position + 1 < bytes.count {
            if bytes[position] == 0xFF, bytes[position + 1] != 0, bytes[position + 1] != 0xFF {
                position += 2
                return Int(bytes[position - 1])
            }
            position += 1
        }
        return nil
    }

    /// Stuffed zeros and restart markers belong to the data; any other marker ends them.
    private func endOfEntropyData(from start: Int) -> Int {
        var position = start
        while let found = bytes.firstFF(from: position), found + 1 < bytes.count {
            let next = bytes[found + 1]
            if next != 0, next != 0xFF, !(0xD0...0xD7).contains(next) { return found }
            // In a run of fill bytes the last 0xFF may begin a marker.
            position = found + (next == 0xFF ? 1 : 2)
        }
        return bytes.count
    }

    private func scan(_ segment: Range<Int>, upTo end: Int, header: ImageHeader) -> Scan? {
        var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[segment]))
        guard reader.bigEndian16() != nil, let count = reader.byte() else { return nil }
        var components: [Int] = []
        for _ in 0..<count {
            guard let identifier = reader.byte(), reader.byte() != nil else { return nil }
            guard let index = header.sampling.firstIndex(where: { $0.identifier == identifier }) else { return nil }
            components.append(index)
        }
        let range = (segment.lowerBound - 2)..<end
        guard header.isProgressive else { return Scan(range: range, components: components, band: 0...63) }
        guard let first = reader.byte(), let last = reader.byte(), first <= last,
            last <= 63
        else { return nil }
        return Scan(
            range: range, components: components, band: first...last)
    }
}

#if canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#endif

extension UnsafeRawBufferPointer {
    fileprivate func firstFF(from start: Int) -> Int? {
        guard start < count, let base = baseAddress else { return nil }
        guard let found = memchr(base + start, 0xFF, count - start) else { return nil }
        return UnsafeRawPointer(found) - base
    }
}

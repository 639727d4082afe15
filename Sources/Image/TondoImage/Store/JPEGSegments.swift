/// The marker segments of a JPEG file (ITU-T T.81 annex B), copied without those that are no part of the picture.
enum JPEGSegments {
    /// Without APPn segments (EXIF with places and thumbnails, XMP, profiles, further pictures), comments, and what follows a scan
    /// or the end, as motion photos have it. JFIF and Adobe stay, since they decide what the colours are. Nil for a file without end, for
    /// a damaged one, and for one with segments that ordinary pictures do not have, which may hold anything.
    static func withoutMetadata(_ file: UnsafeRawBufferPointer) -> [UInt8]? {
        var reader = ByteReader(file)
        reader.offset = 2
        var output: [UInt8] = [0xFF, 0xD8]
        output.reserveCapacity(file.count)
        var codes = JPEGCodes()
        while let marker = reader.nextMarker() {
            if marker == 0xD9 { return output + [0xFF, 0xD9] }
            // Without a length; restarts are in the data of scans.
            if marker == 0x01 || 0xD0...0xD8 ~= marker { continue }
            guard let length = reader.bigEndian16(), length >= 2, let content = reader.slice(length - 2) else {
                return nil
            }
            guard isMetadata(marker) || isPicture(marker) else { return nil }
            guard let kept = kept(content, of: marker) else { continue }
            guard (try? codes.note(content, of: marker)) != nil else { return nil }
            output += [0xFF, UInt8(marker), UInt8((kept.count + 2) >> 8), UInt8((kept.count + 2) & 0xFF)]
            output += kept
            if marker == 0xDA {
                guard let scan = try? codes.cleaned(scan(from: &reader), header: content) else { return nil }
                output += scan
            }
        }
        return nil
    }

    /// Application data and comments.
    private static func isMetadata(_ marker: Int) -> Bool { 0xE0...0xEF ~= marker || marker == 0xFE }

    /// Tables of Huffman codes and quantisers, frames of Huffman-coded JPEGs, scans, intervals of restarts.
    private static func isPicture(_ marker: Int) -> Bool {
        [0xC0, 0xC1, 0xC2, 0xC4, 0xDA, 0xDB, 0xDD].contains(marker)
    }

    /// What stays of a segment; nil: nothing.
    private static func kept(_ content: UnsafeRawBufferPointer, of marker: Int) -> [UInt8]? {
        switch marker {
        case 0xE0:
            // Without its thumbnail.
            guard content.count >= 14, content.has("JFIF\0") else { return nil }
            return content[..<12] + [0, 0]
        case 0xEE:
            guard content.count >= 12, content.has("Adobe") else { return nil }
            return Array(content[..<12])
        case 0xE1...0xEF, 0xFE: return nil
        default: return Array(content)
        }
    }

    /// The entropy-coded data up to the next marker that is no restart, which is left in the reader.
    private static func scan(from reader: inout ByteReader) -> UnsafeRawBufferPointer {
        let (bytes, start) = (reader.bytes, reader.offset)
        var position = start
        while position + 1 < bytes.count {
            if bytes[position] == 0xFF, bytes[position + 1] != 0, !(0xD0...0xD7 ~= bytes[position + 1]) { break }
            position += 1
        }
        reader.offset = position + 1 < bytes.count ? position : bytes.count
        return UnsafeRawBufferPointer(rebasing: bytes[start..<reader.offset])
    }
}

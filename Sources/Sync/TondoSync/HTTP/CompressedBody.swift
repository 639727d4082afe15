internal import libdeflate

/// A body that is compressed although no field says so: proxies lose the field, or compress once more. It is kept to its end.
struct CompressedBody {
    private typealias Unpacking = (
        OpaquePointer?, UnsafeRawPointer?, Int, UnsafeMutableRawPointer?, Int, UnsafeMutablePointer<Int>?,
        UnsafeMutablePointer<Int>?
    ) -> libdeflate_result

    private let unpack: Unpacking
    private var bytes: [UInt8] = []
    /// The most bytes that are kept.
    private static let most = 64 << 20

    /// Nil: the body is what it looks like. `head`: its first piece; `isText`: a document or a card should come.
    init?(head: UnsafeRawBufferPointer, isText: Bool) {
        guard head.count > 2 else { return nil }
        // A text in UTF-16 has zeros, behind a mark or a bracket; another one has no such control characters.
        let mayBeWide = head[0] == 0 || head[0] == UInt8(ascii: "<") || head[0] >= 0xFE || head[1] == 0
        switch head[0] {
        case 0x1F where head[1] == 0x8B: unpack = libdeflate_gzip_decompress_ex
        case 0x78 where (0x7800 | Int(head[1])).isMultiple(of: 31): unpack = libdeflate_zlib_decompress_ex
        case _ where isText && !mayBeWide && head.prefix(64).contains { $0 < 0x20 && !(0x09...0x0D).contains($0) }:
            unpack = libdeflate_deflate_decompress_ex
        default: return nil
        }
    }

    /// False: there are too many.
    mutating func append(_ piece: UnsafeRawBufferPointer) -> Bool {
        bytes.append(contentsOf: piece)
        return bytes.count <= Self.most
    }

    /// What is in it; the bytes themselves if they are no compressed ones. Nil: more than `most` bytes, or 256 MiB.
    func content(limit most: Int) -> [UInt8]? {
        guard let decompressor = libdeflate_alloc_decompressor() else { return bytes }
        defer { libdeflate_free_decompressor(decompressor) }
        // A small body may hold gigabytes.
        let limit = min(most, 4 * Self.most)
        var room = min(max(bytes.count, 1 << 16) * 4, limit)
        while true {
            var (result, read) = (LIBDEFLATE_BAD_DATA, 0)
            let content = [UInt8](unsafeUninitializedCapacity: room) { output, count in
                // What stands behind the end is ignored, as by others.
                result = unpack(decompressor, bytes, bytes.count, output.baseAddress, output.count, &read, &count)
                if result != LIBDEFLATE_SUCCESS { count = 0 }
            }
            switch result {
            case LIBDEFLATE_SUCCESS: return content
            case LIBDEFLATE_INSUFFICIENT_SPACE where room < limit: room = min(room * 4, limit)
            case LIBDEFLATE_INSUFFICIENT_SPACE: return nil
            default: return bytes
            }
        }
    }
}

import Testing
import TondoMirror
import TondoTestSupport
import libdeflate

@testable import TondoSync

/// Answers that are compressed, and say so nowhere.
@Suite(.blocking) struct CompressedBodyTests {
    enum Format: CaseIterable { case gzip, zlib, deflate }

    private static func packed(_ bytes: [UInt8], _ format: Format) -> [UInt8] {
        let compressor = libdeflate_alloc_compressor(6)
        defer { libdeflate_free_compressor(compressor) }
        return [UInt8](unsafeUninitializedCapacity: bytes.count + 1_000) { output, count in
            let pack =
                switch format {
                case .gzip: libdeflate_gzip_compress
                case .zlib: libdeflate_zlib_compress
                case .deflate: libdeflate_deflate_compress
                }
            count = pack(compressor, bytes, bytes.count, output.baseAddress, output.count)
        }
    }

    /// What becomes of the body in pieces; nil: it has more than `limit` bytes.
    private func content(_ bytes: [UInt8], isText: Bool = true, limit: Int = 1 << 20) -> [UInt8]? {
        let head = bytes.withUnsafeBytes {
            CompressedBody(head: UnsafeRawBufferPointer(rebasing: $0.prefix(99)), isText: isText)
        }
        guard var body = head else { return bytes }
        for start in stride(from: 0, to: bytes.count, by: 99) {
            let isTaken = bytes[start..<min(start + 99, bytes.count)].withUnsafeBytes { body.append($0) }
            #expect(isTaken)
        }
        return body.content(limit: limit)
    }

    @Test(arguments: Format.allCases)
    func `a document is unpacked, also one of many bytes`(format: Format) {
        let names = (0..<9_000).map { "<href>/book/\($0 % 97).vcf</href>" }.joined()
        for document in [Array("<a/>".utf8), Array("<multistatus>\(names)</multistatus>".utf8)] {
            let packed = Self.packed(document, format)
            #expect(content(packed) == document)
            #expect(content(packed + [0, 1, 2]) == document)
        }
    }

    @Test
    func `a small body that holds too much is refused`() {
        let packed = Self.packed([UInt8](repeating: 0x20, count: 1 << 20), .gzip)
        #expect(content(packed, limit: 1 << 20)?.count == 1 << 20)
        #expect(content(packed, limit: (1 << 20) - 1) == nil)
    }

    @Test(arguments: [
        "<?xml version=\"1.0\"?>", "\nWarning: x^y", "x^", "x", "", "BEGIN:VCARD", "\u{FEFF}<a/>", "<\u{1}>",
        "xx\u{3}\u{4}\u{5}",
    ])
    func `what is no packed body stays`(text: String) {
        #expect(content(Array(text.utf8)) == Array(text.utf8))
        let wide = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(content(wide) == wide)
        // Bytes of a photo.
        #expect(content([0xFF, 0xD8, 1, 2, 3], isText: false) == [0xFF, 0xD8, 1, 2, 3])
    }

    @Test(arguments: Format.allCases)
    func `cards come from a server that compresses and does not say so`(format: Format) throws {
        let book = try FakeAddressBook()
        book.put("ada.vcf")
        book.answer { [usual = book.usual] request in
            var reply = usual(request)
            reply.body = Self.packed(reply.body, format)
            return reply
        }
        #expect(try MirrorTrial(book.url).run().status.added == 1)
    }
}

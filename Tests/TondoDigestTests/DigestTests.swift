import Testing
import TondoDigest
import TondoText

/// Values of FIPS 180-4's examples and of RFC 1321, appendix A.5.
@Suite struct DigestTests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            String(repeating: "a", count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ])
    func `SHA-256 gives the standard's values`(text: String, digits: String) {
        let digest = SHA256Digest(of: text.utf8)
        #expect(digest.hexadecimal == digits)
        #expect(Hex.text(digest.bytes) == digits)
    }

    @Test(arguments: [1, 3, 63, 64, 65, 999])
    func `Pieces give the digest of the whole`(size: Int) {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var hash = SHA256()
        for start in stride(from: 0, to: bytes.count, by: size) { hash.update(bytes[start...].prefix(size)) }
        // No storage of its own, and nothing at all.
        hash.update(EmptyCollection())
        #expect(hash.finish() == SHA256Digest(of: bytes))
        #expect(SHA256Digest(of: bytes.lazy.map { $0 }) == SHA256Digest(of: bytes))
    }

    @Test func `Digests are read from bytes, and sorted as their digits`() {
        let digests = (0..<50).map { SHA256Digest(of: [UInt8($0)]) }
        for digest in digests { #expect(digest.bytes.withUnsafeBytes { SHA256Digest(loading: $0) } == digest) }
        #expect(digests.sorted().map(\.hexadecimal) == digests.map(\.hexadecimal).sorted())
    }

    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
        ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
    ])
    func `MD5 gives the RFC's values`(text: String, digits: String) {
        #expect(Hex.text(MD5.digest(of: Array(text.utf8))) == digits)
    }
}

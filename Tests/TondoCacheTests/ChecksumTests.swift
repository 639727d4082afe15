import CChecksum
import Testing
import libxxhash

@Suite struct ChecksumTests {
    /// The lengths between which XXH3 goes another way, and some beyond its blocks of 1024 bytes.
    @Test(arguments: [0, 1, 3, 4, 8, 9, 16, 17, 128, 129, 240, 241, 255, 1023, 1024, 1025, 4096, 20_480, 100_003])
    func itIsTheLibrarysChecksumOnEveryProcessor(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 131 &+ $0 >> 7) }
        for seed: UInt64 in [0, 1, 0x0123_4567_89AB_CDEF, .max] {
            let expected = XXH3_128bits_withSeed(bytes, count, seed)
            let value = cchecksum_xxh3_128(bytes, count, seed)
            #expect(value.low == expected.low64 && value.high == expected.high64)
        }
    }
}

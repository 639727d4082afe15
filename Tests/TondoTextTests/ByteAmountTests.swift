import Testing
import TondoText

@Suite struct ByteAmountTests {
    @Test(arguments: [
        (-5, "0 B"), (0, "0 B"), (512, "512 B"), (999, "999 B"), (1000, "1.0 kB"), (1_234_567, "1.2 MB"),
        (99_949, "99.9 kB"), (99_950, "100 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"), (12_345_678_901, "12.3 GB"),
        (999_999_999_999_999, "1 PB"), (.max, "9223 PB"),
    ])
    func `Bytes have three digits and a decimal unit`(_ count: Int, _ text: String) {
        #expect(ByteAmount.text(count) == text)
    }

    @Test func `Units are read in any letter case`() {
        #expect(ByteAmount.bytes("512MB") == 512_000_000)
        #expect(ByteAmount.bytes("1gib") == 1 << 30)
        #expect(ByteAmount.bytes("800") == 800)
    }

    @Test(arguments: [("k", 1_000), ("m", 1_000_000), ("g", 1_000_000_000), ("t", 1_000_000_000_000)])
    func `The letter of a decimal unit is read like the whole unit`(_ letter: String, _ factor: Int) {
        #expect(ByteAmount.bytes("2\(letter)") == 2 * factor)
        #expect(ByteAmount.bytes("2\(letter.uppercased())B") == 2 * factor)
    }

    @Test func `A fraction of a larger unit is read, whole bytes of it`() {
        #expect(ByteAmount.bytes("1.5GiB") == 3 << 29)
        #expect(ByteAmount.bytes("0.25kb") == 250)
        #expect(ByteAmount.bytes("1.0001k") == 1000)
        #expect(ByteAmount.bytes("0.999999999GiB") == (1 << 30) - 2)
    }

    @Test(arguments: [
        "", "MB", "-1MB", "12 apples", "99999999999999999999", "9999999999999GB", "1.5", "1.5b", "1.MB", ".5MB",
        "1.2.3MB", "1,5MB", "1.0000000001GB", "8589934592GiB", "8589934591.999999999GiB.",
    ])
    func `Nonsense is refused`(_ text: String) {
        #expect(ByteAmount.bytes(text) == nil)
    }
}

import Testing

@testable import tondo

@Suite struct ByteCountTests {
    @Test func `Units are read in any letter case`() {
        #expect(ByteCount(argument: "512MB")?.bytes == 512_000_000)
        #expect(ByteCount(argument: "1gib")?.bytes == 1 << 30)
        #expect(ByteCount(argument: "800")?.bytes == 800)
    }

    @Test func `A fraction of a larger unit is read, whole bytes of it`() {
        #expect(ByteCount(argument: "1.5GiB")?.bytes == 3 << 29)
        #expect(ByteCount(argument: "0.25kb")?.bytes == 250)
        #expect(ByteCount(argument: "1.0001k")?.bytes == 1000)
        #expect(ByteCount(argument: "0.999999999GiB")?.bytes == (1 << 30) - 2)
    }

    @Test(arguments: [
        "", "0", "MB", "-1MB", "12 apples", "99999999999999999999", "9999999999999GB", "1.5", "1.5b", "1.MB", ".5MB",
        "1.2.3MB", "1,5MB", "0.0MB", "1.0000000001GB", "8589934592GiB", "8589934591.999999999GiB.",
    ])
    func `Nonsense is refused`(_ text: String) {
        #expect(ByteCount(argument: text) == nil)
    }

    @Test(arguments: [
        (1 << 30, "1GiB"), (512_000_000, "512MB"), (2_000_000_000, "2GB"), (3 << 20, "3MiB"), (5000, "5kB"), (7, "7B"),
    ])
    func `A default is shown in the largest unit that leaves no rest`(_ bytes: Int, _ text: String) {
        #expect(ByteCount(bytes).defaultValueDescription == text)
        #expect(ByteCount(argument: text)?.bytes == bytes)
    }
}

import Testing

@testable import tondo

@Suite struct ByteCountTests {
    @Test func `What has no unit is bytes, and none are refused`() {
        #expect(ByteCount(argument: "1gib")?.bytes == 1 << 30)
        #expect(ByteCount(argument: "800")?.bytes == 800)
        #expect(ByteCount(argument: "0") == nil && ByteCount(argument: "0.0MB") == nil)
    }

    @Test(arguments: [
        (1 << 30, "1GiB"), (512_000_000, "512MB"), (2_000_000_000, "2GB"), (3 << 20, "3MiB"), (5000, "5kB"), (7, "7B"),
    ])
    func `A default is shown in the largest unit that leaves no rest`(_ bytes: Int, _ text: String) {
        #expect(ByteCount(bytes).defaultValueDescription == text)
        #expect(ByteCount(argument: text)?.bytes == bytes)
    }
}

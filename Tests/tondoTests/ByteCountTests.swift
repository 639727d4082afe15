import Testing

@testable import tondo

@Suite struct ByteCountTests {
    @Test func `Units are read in any letter case`() {
        #expect(ByteCount(argument: "512MB")?.bytes == 512_000_000)
        #expect(ByteCount(argument: "1gib")?.bytes == 1 << 30)
        #expect(ByteCount(argument: "800")?.bytes == 800)
    }

    @Test(arguments: ["", "0", "MB", "-1MB", "12 apples", "99999999999999999999", "9999999999999GB"])
    func `Nonsense is refused`(_ text: String) {
        #expect(ByteCount(argument: text) == nil)
    }
}

import Testing

@testable import TondoSync

struct SyncProgressTests {
    @Test(
        arguments: [
            (200, 0, "200 cards"), (1, 0, "1 card"), (200, 400, "200 of 400 cards"), (0, 400, "0 of 400 cards"),
            (1, 1, "1 of 1 card"),
        ] as [(Int, Int, String)])
    func `progress names a total only where the source knows it`(done: Int, total: Int, text: String) {
        #expect(SyncProgress.text(of: done, of: total) == text)
    }
}

import Dispatch
import Testing

@testable import TondoAvatars

@Suite(.timeLimit(.minutes(1))) struct LullTests {
    @Test func `A lull is told after something happened, and again after the next`() async {
        let (lulls, told) = AsyncStream.makeStream(of: Void.self)
        let lull = Lull(after: .milliseconds(1)) { told.yield() }
        var iterator = lulls.makeAsyncIterator()
        for _ in 0..<2 {
            lull.stir()
            #expect(await iterator.next() != nil)
        }
    }
}

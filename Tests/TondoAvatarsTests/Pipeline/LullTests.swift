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

    @Test func `That it goes on is told now and then`() async {
        let (beats, told) = AsyncStream.makeStream(of: Void.self)
        let lull = Lull(after: .milliseconds(1), beats: 1, meanwhile: { told.yield() }, action: {})
        let stirring = Task {
            while !Task.isCancelled {
                lull.stir()
                await Task.yield()
            }
        }
        var iterator = beats.makeAsyncIterator()
        for _ in 0..<2 { #expect(await iterator.next() != nil) }
        stirring.cancel()
    }
}

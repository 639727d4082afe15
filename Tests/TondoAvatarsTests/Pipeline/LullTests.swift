import Dispatch
import Testing

@testable import TondoAvatars

@Suite(.timeLimit(.minutes(1))) struct LullTests {
    @Test func `An idle period is reported after activity, and again after the next activity`() async {
        let (lulls, told) = AsyncStream.makeStream(of: Void.self)
        let lull = Lull(after: .milliseconds(1)) { told.yield() }
        var iterator = lulls.makeAsyncIterator()
        for _ in 0..<2 {
            lull.stir()
            #expect(await iterator.next() != nil)
        }
    }

    @Test func `Continued activity is reported now and then`() async {
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

import Testing

@testable import TondoRender

@Suite struct KillRetryTests {
    @Test func `The first tries follow at once, the later ones after growing pauses`() {
        var retry = KillRetry()
        let pauses = (0..<KillRetry.tries).map { _ in retry.pause() }
        #expect(pauses.prefix(4) == [.zero, .zero, .zero, .zero])
        #expect(pauses.dropFirst(4).prefix(3) == [.milliseconds(10), .milliseconds(20), .milliseconds(40)])
        #expect(pauses.compactMap(\.self).max() == .milliseconds(320))
    }

    @Test func `The tries are bounded`() {
        var retry = KillRetry()
        let pauses = (0..<KillRetry.tries).map { _ in retry.pause() }
        #expect(pauses.last == .some(nil))
        #expect(pauses.dropLast().allSatisfy { $0 != nil })
        #expect(pauses.compactMap(\.self).reduce(.zero, +) < .seconds(3))
    }

    @Test func `No try follows the deadline`() {
        var retry = KillRetry()
        let isThere = retry.waitForNextTry(before: .now - .seconds(1))
        #expect(!isThere)
    }
}

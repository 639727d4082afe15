import Testing
import TondoSync

/// The requests for one photo over time.
@Suite struct PhotoStateTests {
    private let hour = 3_600
    private let day = 86_400
    private let picture = PhotoState.Picture(digest: "00", kind: .jpeg, size: 3)
    private var state = PhotoState(url: "https://example.org/a.jpg", now: 1_000_000)
    private let now = 1_000_000

    @Test func `A new photo is due at once`() { #expect(state.isDue(now)) }

    @Test func `A photo is asked for once a day`() {
        for answer in [PhotoState.Answer.picture(picture), .same] {
            var state = state
            state.take(answer, now: now)
            #expect(!state.isDue(now + day - 1))
            #expect(state.isDue(now + day))
        }
    }

    @Test func `Failures back off from an hour to a week`() {
        var (state, now, pauses) = (state, now, [Int]())
        for _ in 0..<20 {
            state.take(.failed("x"), now: now)
            pauses.append(state.due - now)
            now = state.due
        }
        #expect(pauses.prefix(4) == [hour, 2 * hour, 4 * hour, 8 * hour])
        #expect(pauses.max() == 7 * day)
        #expect(pauses.last == 7 * day)
        state.take(.same, now: now)
        #expect((state.failures, state.problem) == (0, nil))
    }

    @Test func `A failure keeps the last photo`() {
        var state = state
        state.take(.picture(picture), now: now)
        for times in 1...50 { state.take(.failed("x"), now: now + times * 7 * day) }
        #expect(state.picture == picture)
    }

    @Test func `A photo that the server lost stays for a month`() {
        var state = state
        state.take(.picture(picture), now: now)
        state.take(.gone, now: now + day)
        state.take(.gone, now: now + 29 * day)
        #expect(state.picture == picture)
        state.take(.gone, now: now + 31 * day)
        #expect(state.picture == nil)
    }

    @Test func `A photo that came back counts anew`() {
        var state = state
        state.take(.picture(picture), now: now)
        state.take(.gone, now: now + day)
        state.take(.same, now: now + 20 * day)
        state.take(.gone, now: now + 32 * day)
        #expect(state.picture == picture)
    }

    @Test func `A clock that was wrong does not stop requests`() {
        var state = state
        state.take(.picture(picture), now: now + 400 * day)
        #expect(state.isDue(now))
    }

    @Test func `Unused photos are forgotten after a month`() {
        var state = state
        #expect(!state.isUnused(now + 29 * day))
        #expect(state.isUnused(now + 31 * day))
        state.use(now + 2 * day)
        #expect(!state.isUnused(now + 31 * day))
    }
}

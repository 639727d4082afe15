import Testing
import TondoContacts
import TondoImage

@testable import TondoAvatars

/// When a failed photo, initials and the silhouette are tried again.
@Suite struct AvatarLoaderStateTests {
    private typealias Pending = AvatarBacklog.PendingContact
    private var state = AvatarLoaderState(width: 1, ledger: AvatarLedger(styles: 1, tracksChanges: true))
    private let retry = PhotoRetry()

    private func failure(_ retry: AvatarFailure.Retry) -> AvatarFailure {
        var failure = AvatarFailure(code: "code", message: "message")
        failure.retry = retry
        return failure
    }

    private mutating func add() throws -> Pending {
        _ = state.add(Contact(id: "ada"))
        return try #require(state.next()?.0)
    }

    /// The delays until this kind is not tried again, and what comes then.
    private mutating func failures(
        of kind: PreparedAvatar.Kind, _ reason: AvatarFailure.Retry, _ pending: inout Pending
    ) -> (delays: [Duration], end: AvatarLoaderState.Verdict) {
        var delays: [Duration] = []
        while true {
            let verdict = state.fail(kind, of: &pending, with: failure(reason), retry: retry)
            guard case .again(let delay) = verdict else { return (delays, verdict) }
            delays.append(delay)
        }
    }

    @Test(arguments: [PreparedAvatar.Kind.photo, .initials])
    mutating func `A photo and initials are tried three times more, with the same delays`(
        _ kind: PreparedAvatar.Kind
    ) throws {
        var pending = try add()
        let (delays, end) = failures(of: kind, .soon, &pending)
        #expect(delays == [.milliseconds(100), .milliseconds(200), .milliseconds(400)])
        guard case .next = end else {
            Issue.record("what is shown instead is not tried")
            return
        }
    }

    @Test mutating func `The silhouette is tried seven times more, since nothing is shown instead`() throws {
        var pending = try add()
        let (delays, end) = failures(of: .silhouette, .later, &pending)
        #expect(delays.count == 7)
        guard case .wait = end else {
            Issue.record("something else is tried")
            return
        }
    }

    @Test(arguments: [AvatarFailure.Retry.never, .later])
    mutating func `What does not pass in a moment is not tried again soon`(_ reason: AvatarFailure.Retry) throws {
        var pending = try add()
        #expect(failures(of: .photo, reason, &pending).delays == [])
        #expect(failures(of: .initials, reason, &pending).delays == [])
    }

    @Test mutating func `Each kind has its own tries`() throws {
        var pending = try add()
        for kind in [PreparedAvatar.Kind.photo, .initials] {
            #expect(failures(of: kind, .soon, &pending).delays.count == 3)
        }
    }

    @Test mutating func `A late try fails at once and silently, until the reason is permanent`() throws {
        var pending = try add()
        _ = failures(of: .photo, .later, &pending)
        var late = try #require(state.nextTry(pending, retry)).0
        guard case .wait = state.fail(.photo, of: &late, with: failure(.soon), retry: retry) else {
            Issue.record("the failure is reported again")
            return
        }
        late = try #require(state.nextTry(late, retry)).0
        guard case .next(.some) = state.fail(.photo, of: &late, with: failure(.never), retry: retry) else {
            Issue.record("the permanent failure is not reported")
            return
        }
    }

    @Test mutating func `Late tries come with growing delays`() throws {
        var pending = try add()
        var delays: [Duration] = []
        for _ in 0..<4 {
            _ = failures(of: .photo, .later, &pending)
            let next = try #require(state.nextTry(pending, retry))
            pending = next.0
            delays.append(next.1)
        }
        #expect(delays == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
    }

    @Test mutating func `A late try of initials does not try a photo that stays as it is`() throws {
        var pending = try add()
        _ = failures(of: .photo, .never, &pending)
        _ = failures(of: .initials, .later, &pending)
        let late = try #require(state.nextTry(pending, retry)).0
        #expect(late.photoFailure != nil && late.initialsFailure == nil && late.lacksInitials)
    }

    @Test mutating func `A contact whose photo and initials fail for good is not tried again`() throws {
        var pending = try add()
        _ = failures(of: .photo, .never, &pending)
        _ = failures(of: .initials, .never, &pending)
        #expect(state.nextTry(pending, retry) == nil)
    }
}

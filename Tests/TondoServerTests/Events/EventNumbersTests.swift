import NIOCore
import SystemPackage
import Testing
import TondoTestSupport

@testable import TondoServer

/// Each run has ids above those of all runs before.
@Suite struct EventNumbersTests {
    private let folder: TemporaryFolder
    private var file: FilePath { folder.path.appending("state").appending("event-ids") }

    init() throws { folder = try TemporaryFolder() }

    @Test func `Ids go on above those of an earlier run when the clock has gone back`() {
        let first = EventNumbers(file: file, clock: 1_000_000_000)
        #expect(first.first == 1_000_000_000)
        let second = EventNumbers(file: file, clock: 500)
        #expect(second.first > first.first + EventNumbers.reserve)
        #expect(EventNumbers(file: file, clock: 500).first > second.first + EventNumbers.reserve)
    }

    @Test func `Ids of an earlier run with many events are not given again, and not continued`() {
        let first = EventNumbers(file: file, clock: 7)
        for id in stride(from: first.first, to: 5 * EventNumbers.reserve, by: 1_000) { first.use(id) }
        first.use(5 * EventNumbers.reserve)
        first.flush()
        #expect(EventNumbers(file: file, clock: 7).first > 5 * EventNumbers.reserve + 1)
    }

    @Test func `A bound that could not be written is written with the next id`() throws {
        let run = EventNumbers(file: file, clock: 7)
        let used = run.first + 2 * EventNumbers.reserve
        try folder.remove("state")
        // A file in the place of the folder is an error for every user, root included.
        try folder.write("", to: "state")
        run.use(used)
        run.flush()
        try folder.remove("state")
        run.use(used + 1)
        run.flush()
        #expect(EventNumbers(file: file, clock: 7).first > used + 1)
    }

    @Test func `A client of an earlier run gets reset from the next one, whose clock was set back`() async throws {
        let old = EventBroadcaster(capacity: 10, maxSize: 10_000, numbers: EventNumbers(file: file, clock: 9_000_000))
        let last = old.send("old", data: "{}")
        let new = EventBroadcaster(capacity: 10, maxSize: 10_000, numbers: EventNumbers(file: file, clock: 8_999_999))
        // With ids by the clock alone, this would be the one that the client has already.
        new.send("missed", data: "{}")
        #expect(new.send("new", data: "{}") > last + 1)
        guard case .events(let bytes)? = await new.subscribe(after: last).next() else {
            Issue.record("no event")
            return
        }
        #expect(String(buffer: bytes).contains("event: reset\n"))
    }

    @Test func `A clock that goes on decides, and so it does without a usable file`() throws {
        _ = EventNumbers(file: file, clock: 10)
        #expect(EventNumbers(file: file, clock: 9_000_000_000).first == 9_000_000_000)
        for text in ["", "x", "99999999999999999999999", "18446744073709551615", "-4"] {
            try folder.write(text, to: "state/event-ids")
            #expect(EventNumbers(file: file, clock: 12).first == 12, "\(text)")
        }
        #expect(EventNumbers(file: nil, clock: 12).first == 12)
        #expect(EventNumbers(file: "/dev/null/event-ids", clock: 12).first == 12)
    }
}

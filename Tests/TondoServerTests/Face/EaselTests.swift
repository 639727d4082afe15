import Testing
import TondoImage
import TondoJobs

@testable import TondoServer

@Suite struct EaselTests {
    @Test func `The same picture comes again, under the same key`() async throws {
        let subject = Easel.Subject.generated(.identicon, .md5(of: "a"), side: 20, isCircle: true)
        let easel = Easel()
        let first = try await easel.picture(subject)
        #expect(try await easel.picture(subject).png == first.png)
        let other = try await Easel().picture(subject)
        #expect(other.png == first.png && other.key == first.key && other.key.count == 64)
    }

    private static func subject(_ name: String) -> Easel.Subject {
        .generated(.retro, .md5(of: name), side: 2_048, isCircle: false)
    }

    /// One worker, and room for one that waits.
    private static var narrow: Easel {
        var options = Easel.standard
        (options.workers, options.depth) = (1, 1)
        return Easel(options)
    }

    @Test func `What would wait too long is refused`() async throws {
        let easel = Self.narrow
        easel.pause()
        async let first = easel.picture(.placeholder(Style(size: 16)))
        while easel.counters.queued == 0 { await Task.yield() }
        await #expect(throws: ProblemDetails.queueFull) { try await easel.picture(Self.subject("a")) }
        easel.resume()
        #expect(try await !first.key.isEmpty)
    }

    @Test func `Pictures have the bounds of photos`() {
        #expect(Easel.standard.wait == AvatarService.longestWait && Easel.standard.depth <= 1_024)
    }

    @Test func `A small picture does not wait for large ones`() async throws {
        var options = Easel.standard
        options.workers = 1
        let easel = Easel(options)
        easel.pause()
        let first = try await withThrowingTaskGroup(of: Int.self) { group in
            for (index, side) in [2_048, 1_024, 40].enumerated() {
                group.addTask {
                    _ = try await easel.picture(.generated(.retro, .md5(of: "\(index)"), side: side, isCircle: false))
                    return side
                }
                while easel.counters.queued <= index { await Task.yield() }
            }
            easel.resume()
            return try await group.next()
        }
        #expect(first == 40)
    }

    @Test func `A placeholder that is not at hand comes in another size at once, and in its own later`() async throws {
        let easel = Self.narrow
        easel.pause()
        async let other = easel.picture(Self.subject("b"))
        while easel.counters.queued == 0 { await Task.yield() }
        let (style, usual) = (Style(size: 20), Easel().placeholder(atOnce: Style(size: 96)))
        #expect(easel.placeholder(atOnce: style).png == usual.png)
        easel.resume()
        _ = try await other
        let own = try await easel.picture(.placeholder(style))
        #expect(easel.placeholder(atOnce: style).png == own.png && own.png != usual.png)
    }
}
